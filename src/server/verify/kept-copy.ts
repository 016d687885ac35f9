/** What somebody kept of a board's log, compared with the log as it is now: nothing that was there may be missing. */
import type { Inspection, LogHead } from '#db/engine/inspection.ts';
import type { Findings } from '#core/domain/log/log-finding.ts';
import type { WholeFindings } from './log.ts';
import { checkSavedLog } from './saved-log.ts';

type Board = Pick<Inspection, 'hashAt' | 'head'>;

/** A saved copy of the public log that was compared. */
export interface ComparedCopy {
  /** The last entry that it holds; 0 for none. */
  log_index: number;
  /** How many of its entries the board has with the same hash. */
  same: number;
}

/** Whether a log reaches an entry and has it with that hash. */
export function checkHead(board: Board, past: LogHead, findings: WholeFindings): void {
  const { log_index, entry_hash } = past;
  const last = board.head()?.log_index ?? 0;
  if (log_index > last) {
    const missing = { count: log_index - last, from: last + 1, to: log_index };
    report(findings, 'the head', { missing });
  } else if (board.hashAt(log_index) !== entry_hash) {
    report(findings, 'the head', { different: spanOf([log_index]) });
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
  const compared: ComparedCopy = { log_index: 0, same: 0 };
  const missing: number[] = [];
  const different: number[] = [];
  const { isPublicLog, found } = await checkSavedLog(path, ({ log_index, entry_hash }) => {
    const own = board.hashAt(log_index);
    compared.log_index = Math.max(compared.log_index, log_index);
    if (own === entry_hash) compared.same += 1;
    else (own === undefined ? missing : different).push(log_index);
  });
  if (found.total > 0) {
    findings.add({ code: 'copy_invalid', message: whyInvalid(isPublicLog, found) });
    return null;
  }
  report(findings, 'the copy', { missing: spanOf(missing), different: spanOf(different) });
  return compared;
}

function whyInvalid(isPublicLog: boolean, { kept, total }: Findings): string {
  const [first] = kept;
  if (!isPublicLog || !first) return 'the copy is no public log, so it proves nothing';
  const at = first.line === null ? '' : `line ${first.line}: `;
  const more = total === 1 ? '' : `, and ${total - 1} more`;
  return `the copy is not as a board wrote it, so it proves nothing (${at}${first.message}${more}): take another copy`;
}

/** How many entries, the first and the last of them. */
interface Span {
  count: number;
  from: number;
  to: number;
}

function spanOf(places: readonly number[]): Span {
  return { count: places.length, from: places[0] ?? 0, to: places.at(-1) ?? 0 };
}

/** Tells of entries that the board's log ends before, and of those that it has otherwise. */
function report(
  findings: WholeFindings,
  whose: string,
  { missing, different }: { missing?: Span; different?: Span },
): void {
  if (missing && missing.count > 0) {
    const { count, from, to } = missing;
    const which = count === 1 ? `1 entry is` : `${count} entries are`;
    const message = `${which} missing that ${whose} knows: ${from} to ${to}`;
    findings.add({ code: 'entry_missing', message, log_index: from });
  }
  if (different && different.count > 0) {
    const { count, from } = different;
    const which = count === 1 ? `entry ${from} has` : `${count} entries, from ${from} on, have`;
    const message = `${which} another hash than ${whose} says: this is another board, or another history of it`;
    findings.add({ code: 'copy_differs', message, log_index: from });
  }
}
