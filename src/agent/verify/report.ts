import { CALIBRATED_METRICS } from '#core/domain/board/calibration.ts';
import type { CheckedBoard } from '#core/domain/log/board-check.ts';
import type { LogFinding, Findings } from '#core/domain/log/log-finding.ts';
import { plain } from '#core/domain/text/terminal-text.ts';
import type { Calibration } from '#core/schema/calibration.ts';
import { counted, figure } from '../text/figures.ts';
import { type Column, tableLines } from '../text/table.ts';
import type { ShownBoard } from './live-boards.ts';
import type { LiveLog } from './live-log.ts';
import type { ReadLog } from './read-log.ts';

export interface Compared extends LiveLog {
  boards: readonly ShownBoard[];
}

/** The result of a verification, as `--json` prints it. */
export interface VerifyReport {
  sound: boolean;
  source: string;
  base_url: string | null;
  /** What was downloaded of the log; absent for a file. */
  downloaded?: 'all' | 'new' | 'none';
  log_index: number;
  as_of: string | null;
  entries: { shown: number; erased: number; lost: number; withheld: number };
  submissions: { signed: number; self_reported: number };
  boards: readonly CheckedBoard[];
  /** Null if the board was not asked. */
  live: {
    log_index: number;
    entry_hash: string;
    /** The boards that readers see first. `rows` is null if one could not be compared. */
    boards: readonly Pick<ShownBoard, 'as_of' | 'kept' | 'rows'>[];
  } | null;
  /** How many of this device's own receipts were looked up; null if it is not enrolled. */
  own_receipts: number | null;
  /** Only if it was requested; null if the file has no current board. */
  calibration?: Calibration | null;
  notes: readonly string[];
  findings: readonly LogFinding[];
  findings_total: number;
}

export function reportOf(
  source: string,
  { check, boards, calibration }: ReadLog,
  {
    findings,
    live,
    ownReceipts,
    last,
    addresses,
  }: {
    findings: Findings;
    live: Compared | null;
    ownReceipts: number | null;
    /** The file's last entry, and the number of its empty entries. */
    last: { log_index: number; erased: number; lost: number; withheld: number };
    /** The address in the arguments, and those where this device is enrolled. */
    addresses: readonly (string | undefined)[];
  },
): VerifyReport {
  const { entries } = check;
  const { log_index, erased, lost, withheld } = last;
  const { base_url, as_of } = check.header ?? { base_url: null, as_of: null };
  return {
    sound: findings.total === 0,
    source,
    base_url,
    log_index,
    as_of,
    entries: { shown: log_index - erased - lost - withheld, erased, lost, withheld },
    submissions: { signed: entries?.signed ?? 0, self_reported: entries?.selfReported ?? 0 },
    boards,
    live: live && liveOf(live),
    own_receipts: ownReceipts,
    ...(calibration !== undefined && { calibration }),
    notes: [...addressNotes(base_url, addresses), ...boardNotes(live), ...notesOf(check)],
    findings: findings.kept,
    findings_total: findings.total,
  };
}

function liveOf({ log_index, entry_hash, boards }: Compared): NonNullable<VerifyReport['live']> {
  return {
    log_index,
    entry_hash,
    boards: boards.map(({ as_of, kept, rows }) => ({ as_of, kept, rows })),
  };
}

/** Notes if the log is for another address, because signatures contain the board's exact address. */
function addressNotes(
  base_url: string | null,
  addresses: readonly (string | undefined)[],
): string[] {
  if (base_url === null) return [];
  const others = new Set(addresses.filter((address) => address && address !== base_url));
  return [...others].map((address) => {
    return `this log is for ${base_url}, not for ${String(address)}. Check that both are the same board`;
  });
}

function boardNotes(live: Compared | null): string[] {
  return (live?.boards ?? []).flatMap(({ as_of, kept, reason, strangers }) => {
    const name = `the ${kept} board of ${as_of}`;
    if (reason !== null)
      return [`${name} was not compared with the board that readers see: ${reason}`];
    if (strangers.length === 0 || !live?.isSeenOtherwise) return [];
    const rows = counted(strangers.length, 'row');
    return [
      `on ${name}, ${rows} could not be compared, because operators have changed their visibility since`,
    ];
  });
}

function notesOf({ entries }: ReadLog['check']): string[] {
  const audiences = [...(entries?.audiences ?? [])].map(([audience, count]) => {
    return `${counted(count, 'submission')} signed for another address of the board: ${audience}`;
  });
  const kinds = [...(entries?.unknownKinds ?? [])];
  const unknown =
    kinds.length === 0
      ? []
      : [`this opbench does not know entries of the kind ${kinds.join(', ')}. Run: opbench update`];
  return [...audiences, ...unknown];
}

const DOWNLOADED = {
  all: 'the whole log',
  new: 'what is new since the last check',
  none: 'nothing, because nothing is new since the last check',
} as const;

/** How many boards that could not be fully recomputed are listed. */
const MAX_BOARDS = 10;

export function reportText(report: VerifyReport): string {
  const { sound, entries, submissions, boards, live, own_receipts } = report;
  const extents = (['fully', 'partly', 'not'] as const).map((extent) => {
    return `${figure(boards.filter((board) => board.extent === extent).length)} ${extent}`;
  });
  const lines = [
    `${plain(report.base_url ?? report.source)}, log up to entry ${figure(report.log_index)}`,
    ...(report.downloaded === undefined ? [] : [`  downloaded   ${DOWNLOADED[report.downloaded]}`]),
    `  entries      ${figure(entries.shown)} shown, ${figure(entries.erased)} erased by their owners, ${lostText(entries)}${figure(entries.withheld)} withheld`,
    `  submissions  ${figure(submissions.signed)} signed, ${figure(submissions.self_reported)} self-reported (not signed)`,
    `  boards       ${figure(boards.length)}, recomputed: ${extents.join(', ')}`,
    ...thinnedLines(boards),
    ...boards
      .filter(({ extent }) => extent !== 'fully')
      .slice(0, MAX_BOARDS)
      .map(boardLine),
    ...(live ? liveLines(live) : []),
    ...(own_receipts === null ? [] : [`  own receipts ${figure(own_receipts)} looked up`]),
    ...(report.calibration === undefined ? [] : calibrationLines(report.calibration)),
    ...report.notes.map((note) => `  note: ${plain(note)}`),
    sound ? soundLine(report) : `Not sound: ${counted(report.findings_total, 'difference')} found.`,
    ...report.findings.map(findingLine),
  ];
  const more = report.findings_total - report.findings.length;
  if (more > 0) lines.push(`  and ${figure(more)} more`);
  return lines.join('\n');
}

function lostText({ lost }: VerifyReport['entries']): string {
  return lost === 0 ? '' : `${figure(lost)} lost when the board was restored, `;
}

function thinnedLines(boards: readonly CheckedBoard[]): string[] {
  const thinned = boards.filter(({ values }) => values === 'thinned').length;
  if (thinned === 0) return [];
  return [
    `  values       ${counted(thinned, 'older board')} without values: ranks compared with recomputed values`,
  ];
}

function liveLines({ log_index, boards }: NonNullable<VerifyReport['live']>): string[] {
  const rows = boards.reduce((sum, board) => sum + (board.rows ?? 0), 0);
  const compared = boards.filter((board) => board.rows !== null).length;
  return [
    `  live log     continues to entry ${figure(log_index)}`,
    `  shown        ${counted(rows, 'row')} of ${counted(compared, 'board')} compared with what readers see first`,
  ];
}

const percentText = (percent: number | null) => (percent === null ? '-' : `${percent}%`);

function calibrationLines(calibration: Calibration | null): string[] {
  if (!calibration) return ['  calibration  none, because the file has no current board'];
  const { as_of, method, methods } = calibration;
  const rows = CALIBRATED_METRICS.map((metric) => {
    const percents = methods.map((of) => percentText(of[metric].percent));
    return [metric, figure(methods[0]?.[metric].operators ?? 0), ...percents];
  });
  const expected = methods.map((of) => percentText(of.expected_percent));
  const columns: Column[] = ['operators', ...methods.map((of) => of.method)].map((title) => {
    return { title, side: 'right' };
  });
  return [
    `  calibration  two parts of 90 days to ${as_of} agree within their intervals`,
    ...tableLines([{ title: 'metric' }, ...columns], [...rows, ['expected', '', ...expected]], 4),
    `    jackknife-95 leaves out days, week-95 compares weeks. The ranking rules use ${method ?? 'another method'}.`,
  ];
}

/** The result, with everything that was not checked. */
function soundLine({ boards }: VerifyReport): string {
  const not = boards.filter(({ extent }) => extent === 'not').length;
  const stated = boards.reduce((sum, { rows }) => sum + rows.stated, 0);
  const gaps = boards.filter(({ extent, gaps }) => extent === 'partly' && gaps > 0).length;
  const unchecked = [
    ...(boards.length === 0 ? ['any board, because the file has none'] : []),
    ...(not > 0 ? [`ranks and intervals of ${counted(not, 'board')}`] : []),
    ...(stated > 0 ? [`${counted(stated, 'row')} taken as stated`] : []),
    ...(gaps > 0 ? [`ranks of removed operators on ${counted(gaps, 'board')}`] : []),
  ];
  if (unchecked.length === 0) return 'Sound: no differences found.';
  return `Sound as far as it could be checked. Not checked: ${unchecked.join('; ')}.`;
}

function boardLine({ as_of, extent, rows, gaps }: CheckedBoard): string {
  if (extent === 'not') {
    return `    ${as_of}: values only, because it has no intervals, other rules or a damaged line`;
  }
  const places = gaps === 0 ? '' : `, ${counted(gaps, 'rank')} of removed operators`;
  return `    ${as_of}: ${figure(rows.recomputed)} rows, ${figure(rows.stated)} taken as stated${places}`;
}

function findingLine({ line, message }: LogFinding): string {
  return `  ${line === null ? '' : `line ${line}: `}${plain(message)}`;
}
