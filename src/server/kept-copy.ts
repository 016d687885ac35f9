/** What somebody kept of a board's log, compared with the log as it is now: nothing that was there may be missing. */
import type { Inspection, LogHead } from '#db/inspection.ts';
import { readLine } from '#core/domain/public-log-line.ts';
import { sha256 } from './identity/crypto.ts';
import { linesIn } from './file-lines.ts';
import type { WholeFindings } from './whole-findings.ts';

type Board = Pick<Inspection, 'hashAt' | 'head'>;

/** A saved copy of the public log, as far as it was compared. */
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
 * Compares every entry of a saved public log, which may be older or end early.
 *
 * @throws {StoreError} if the file cannot be read as text, or is damaged.
 */
export async function checkCopy(
  board: Board,
  path: string,
  findings: WholeFindings,
): Promise<ComparedCopy> {
  const comparison = new Comparison(board);
  let number = 0;
  let isEnded = false;
  for await (const text of linesIn(path)) {
    number += 1;
    const { line, isWhole } = readLine(text, sha256);
    if (!line || !isWhole) {
      const message = `line ${number} of the copy was changed or is no line of a public log`;
      findings.add({ code: 'copy_invalid', message });
    } else if (line.line === 'entry') comparison.add(line);
    isEnded ||= line?.line === 'end';
  }
  if (!isEnded) {
    findings.add({ code: 'copy_invalid', message: 'the copy ends before its end: it was cut off' });
  }
  reportComparison(comparison, findings);
  return { log_index: comparison.last, same: comparison.same };
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
