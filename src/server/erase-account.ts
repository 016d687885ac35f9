import { reserveCodename } from './codenames.ts';
import type { Board } from './context.ts';
import { operatorOf } from './operator.ts';

/**
 * Deletes an account and all that names it, keeps its names back as hashes, and tells the log which entries are
 * empty now. Call it inside a transaction.
 *
 * @returns The log entry that tells of the erasure; null if the log never knew the account.
 * @throws {DomainError} `not_found` if the account was deleted meanwhile.
 */
export function eraseAccount(board: Board, operator_id: number): number | null {
  const { store } = board;
  const { id, public_id, codename } = operatorOf(board, operator_id);
  const former = store.codenames.formerOf(id, board.now().toISOString());
  for (const name of [codename, ...former]) reserveCodename(board, name);
  const entries = store.erasure.erase({ id, public_id });
  if (entries.length === 0) return null;
  const payload = { entries };
  const now = board.now();
  return store.log.append({ kind: 'erase', operator_id: null, payload, now }).log_index;
}
