import type { CheckedBoard } from '#core/domain/board-check.ts';
import type { Finding, Findings } from '#core/domain/log-finding.ts';
import { plain } from '../print.ts';
import type { LiveLog } from './live-log.ts';
import type { ReadLog } from './read-log.ts';

/** What came of a verification; `--json` prints it. */
export interface Report {
  sound: boolean;
  source: string;
  base_url: string | null;
  log_index: number;
  as_of: string | null;
  entries: { shown: number; erased: number; withheld: number };
  submissions: { signed: number; self_reported: number };
  boards: readonly CheckedBoard[];
  /** Null where the board was not asked. */
  live: { log_index: number; entry_hash: string } | null;
  /** How many of this device's own receipts were looked up; null where it is not enrolled. */
  own_receipts: number | null;
  notes: readonly string[];
  findings: readonly Finding[];
  findings_total: number;
}

/** Puts together what was found out. */
export function reportOf(
  source: string,
  { check, boards }: ReadLog,
  {
    findings,
    live,
    ownReceipts,
    last,
  }: {
    findings: Findings;
    live: LiveLog | null;
    ownReceipts: number | null;
    /** The file's last entry, and how many of its entries are empty. */
    last: { log_index: number; erased: number; withheld: number };
  },
): Report {
  const { header, entries } = check;
  const { log_index, erased, withheld } = last;
  return {
    sound: findings.total === 0,
    source,
    base_url: header?.base_url ?? null,
    log_index,
    as_of: header?.as_of ?? null,
    entries: { shown: log_index - erased - withheld, erased, withheld },
    submissions: { signed: entries?.signed ?? 0, self_reported: entries?.selfReported ?? 0 },
    boards,
    live: live && { log_index: live.log_index, entry_hash: live.entry_hash },
    own_receipts: ownReceipts,
    notes: notesOf(check),
    findings: findings.kept,
    findings_total: findings.total,
  };
}

function notesOf({ entries }: ReadLog['check']): string[] {
  const audiences = [...(entries?.audiences ?? [])].map(([audience, count]) => {
    return `${figure(count)} submissions were signed for another address of the board: ${audience}`;
  });
  const kinds = [...(entries?.unknownKinds ?? [])];
  const unknown =
    kinds.length === 0
      ? []
      : [`this opbench does not know entries of the kind ${kinds.join(', ')}; get a newer one`];
  return [...audiences, ...unknown];
}

const FIGURES = new Intl.NumberFormat('en');

function figure(value: number): string {
  return FIGURES.format(value);
}

/** So many boards are named that could not be recomputed whole. */
const MAX_BOARDS = 10;

/** The report in words. */
export function reportText(report: Report): string {
  const { sound, entries, submissions, boards, live, own_receipts } = report;
  const extents = (['fully', 'partly', 'not'] as const).map((extent) => {
    return `${figure(boards.filter((board) => board.extent === extent).length)} ${extent}`;
  });
  const lines = [
    `${plain(report.base_url ?? report.source)}, log up to entry ${figure(report.log_index)}`,
    `  entries      ${figure(entries.shown)} shown, ${figure(entries.erased)} erased by their owners, ${figure(entries.withheld)} withheld`,
    `  submissions  ${figure(submissions.signed)} signed, ${figure(submissions.self_reported)} self-reported, which nobody signed`,
    `  boards       ${figure(boards.length)}: recomputed ${extents.join(', ')}`,
    ...boards
      .filter(({ extent }) => extent !== 'fully')
      .slice(0, MAX_BOARDS)
      .map(boardLine),
    ...(live ? [`  live log     goes on to entry ${figure(live.log_index)}`] : []),
    ...(own_receipts === null ? [] : [`  own receipts ${figure(own_receipts)} looked up`]),
    ...report.notes.map((note) => `  note: ${plain(note)}`),
    sound ? 'Sound: nothing differs.' : `Not sound: ${counted(report.findings_total)}.`,
    ...report.findings.map(findingLine),
  ];
  const more = report.findings_total - report.findings.length;
  if (more > 0) lines.push(`  and ${figure(more)} more`);
  return lines.join('\n');
}

function counted(total: number): string {
  return total === 1 ? '1 thing differs' : `${figure(total)} things differ`;
}

function boardLine({ as_of, extent, rows, gaps }: CheckedBoard): string {
  if (extent === 'not') {
    return `    ${as_of}: values only, it was kept without intervals or by other rules`;
  }
  const places = gaps === 0 ? '' : `, ${figure(gaps)} places of who is gone`;
  return `    ${as_of}: ${figure(rows.recomputed)} rows, ${figure(rows.stated)} taken as stated${places}`;
}

function findingLine({ line, message }: Finding): string {
  return `  ${line === null ? '' : `line ${line}: `}${plain(message)}`;
}
