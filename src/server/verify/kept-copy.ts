/** What somebody kept of a board's log, compared with the log as it is now: nothing that was there may be missing. */
import type { Inspection, LogHead } from '#db/engine/inspection.ts';
import { LogCheck } from '#core/domain/log/log-check.ts';
import { Findings } from '#core/domain/log/log-finding.ts';
import { CHECK_TOOLS } from './check-tools.ts';
import { linesIn } from './file-lines.ts';
import type { WholeFindings } from './findings.ts';

type Board = Pick<Inspection, 'hashAt' | 'head'>;

/** A saved copy of the public log that was compared. */
export interface ComparedCopy {
  /** The last entry that it holds; 0 for none. */
  log_index: number;
  /** How many of its entries the board has with the same hash. */
  same: number;
}

/** What came of comparing entries that follow each other. */
class Comparison {
  same = 0;
  last = 0;
  /** Those that the board's log ends before, and those that it has otherwise. */
  readonly missing: number[] = [];
  readonly different: number[] = [];
  readonly #board: Board;

  constructor(board: Board) {
    this.#board = board;
  }

  add({ log_index, entry_hash }: LogHead): void {
    const own = this.#board.hashAt(log_index);
    this.last = Math.max(this.last, log_index);
    if (own === entry_hash) this.same += 1;
    else (own === undefined ? this.missing : this.different).push(log_index);
  }
}

/** Whether a log reaches an entry and has it with that hash. */
export function checkHead(board: Board, past: LogHead, findings: WholeFindings): void {
  const { log_index, entry_hash } = past;
  const last = board.head()?.log_index ?? 0;
  if (log_index > last) {
    const count = log_index - last;
    reportMissing(findings, { count, from: last + 1, to: log_index, whose: 'the head' });
  } else if (board.hashAt(log_index) !== entry_hash) {
    reportDifferent(findings, { count: 1, from: log_index, whose: 'the head' });
  }
}

/**
 * Compares every entry of a saved public log, which may be older. One that is not as a board wrote and signed it proves
 * nothing: lines may have been taken out.
 *
 * @returns Null if the copy is damaged, which is a finding.
 * @throws {StoreError} if the file cannot be read as text.
 */
export async function checkCopy(
  board: Board,
  path: string,
  findings: WholeFindings,
): Promise<ComparedCopy | null> {
  const comparison = new Comparison(board);
  const found = new Findings();
  const check = new LogCheck(CHECK_TOOLS, found);
  for await (const text of linesIn(path)) {
    const line = check.add(text);
    if (line?.line === 'entry') comparison.add(line);
  }
  check.finish();
  if (found.total > 0) {
    findings.add({ code: 'copy_invalid', message: whyInvalid(check, found) });
    return null;
  }
  reportComparison(comparison, findings);
  return { log_index: comparison.last, same: comparison.same };
}

function whyInvalid({ isPublicLog }: LogCheck, { kept, total }: Findings): string {
  const [first] = kept;
  if (!isPublicLog || !first) return 'the copy is no public log, so it proves nothing';
  const at = first.line === null ? '' : `line ${first.line}: `;
  const more = total === 1 ? '' : `, and ${total - 1} more`;
  return `the copy is not as a board wrote it, so it proves nothing (${at}${first.message}${more}): take another copy`;
}

function reportComparison({ missing, different }: Comparison, findings: WholeFindings): void {
  const [gone] = missing;
  const [other] = different;
  const whose = 'the copy';
  if (gone !== undefined) {
    const to = missing.at(-1) ?? gone;
    reportMissing(findings, { count: missing.length, from: gone, to, whose });
  }
  if (other !== undefined) {
    reportDifferent(findings, { count: different.length, from: other, whose });
  }
}

interface Reported {
  count: number;
  from: number;
  whose: string;
}

function reportMissing(
  findings: WholeFindings,
  { count, from, to, whose }: Reported & { to: number },
): void {
  const which = count === 1 ? `1 entry is` : `${count} entries are`;
  const message = `${which} missing that ${whose} knows: ${from} to ${to}`;
  findings.add({ code: 'entry_missing', message, log_index: from });
}

function reportDifferent(findings: WholeFindings, { count, from, whose }: Reported): void {
  const which = count === 1 ? `entry ${from} has` : `${count} entries, from ${from} on, have`;
  const message = `${which} another hash than ${whose} says: this is another board, or another history of it`;
  findings.add({ code: 'copy_differs', message, log_index: from });
}
