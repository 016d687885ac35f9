import type { Marks } from '#db/engine/leftovers.ts';
import type { AccountDeleted } from '#core/contract/account.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import type { AppContext, Board } from '../context.ts';
import { yieldToEventLoop } from '../process/yield-to-event-loop.ts';
import { reserveCodename } from '../operator/codenames.ts';
import { operatorOf } from '../operator/operator.ts';
import { otherMachines } from '../operator/other-machines.ts';
import { refuseLastAdmin } from '../operator/set-role.ts';

/**
 * Deletes an account and everything that names it. The log keeps the hashes of its entries, so that the chain stays
 * valid, and records which ones were erased. The names stay reserved for a while, as hashes. Resolves when no table
 * and no publication contains the account. By then, leftovers in free parts of the database file are overwritten too,
 * unless another process prevented that, or the file is so large that the search continues after this.
 */
export async function deleteAccount(
  ctx: AppContext,
  operator_id: number,
  confirmed: string,
): Promise<AccountDeleted> {
  const { marks, log_index, left } = ctx.store.transaction(() => {
    const operator = operatorOf(ctx, operator_id);
    const { codename } = operator;
    if (confirmed !== codename) {
      throw new DomainError(
        'confirmation_mismatch',
        `That is not your codename. Type ${codename} to delete your account`,
      );
    }
    refuseLastAdmin(ctx, operator);
    const marks = ctx.store.leftovers.marksOf(operator_id);
    return { marks, ...beginErasure(ctx, operator_id) };
  });
  // Hide the account while a lot is erased. If this fails, the next publication hides it.
  const hidden =
    left === 'much' && ctx.publications.publishNow({ hides: true }).catch(() => undefined);
  if (left !== 'nothing') await eraseInSteps(ctx, operator_id);
  await hidden;
  await ctx.publications.publishNow({ hides: true, marks });
  return { log_index, ...otherMachines(ctx, true) };
}

/** Larger accounts are erased in steps. Erasing this much takes about 20 ms. */
const AT_ONCE = { bytes: 2 * 1024 * 1024, buckets: 2000, chunks: 8 };

interface Erasure {
  /** The log entry of the erasure; null if the log has no entry of the account. */
  log_index: number | null;
  /** What `eraseInSteps` has to erase. `days` are only those of earlier boards, which takes less than a second. */
  left: 'days' | 'much' | 'nothing';
}

/**
 * Deletes an account and everything that names it, reserves its names as hashes, and records in the log which
 * entries were erased. Call it inside a transaction.
 */
export function eraseAccount(board: Board, operator_id: number): void {
  closeAccount(board, operator_id);
  board.store.erasure.end(operator_id);
}

/**
 * Deletes a small account at once. Closes a large one, so that nobody can act for it or see it; the rest must then
 * be erased in steps. Call it inside a transaction.
 */
export function beginErasure(board: Board, operator_id: number): Erasure {
  const { erasure } = board.store;
  const { bytes, buckets, chunks } = erasure.sizeOf(operator_id);
  const log_index = closeAccount(board, operator_id);
  if (bytes > AT_ONCE.bytes || buckets > AT_ONCE.buckets) return { log_index, left: 'much' };
  if (chunks > AT_ONCE.chunks) return { log_index, left: 'days' };
  erasure.end(operator_id);
  return { log_index, left: 'nothing' };
}

/**
 * Erases the rest of a closed account in short transactions, and yields to the event loop after each one. If the
 * process ends before that, the next process continues.
 */
async function eraseInSteps({ store }: Pick<Board, 'store'>, operator_id: number) {
  const step = () => store.transaction(() => store.erasure.step(operator_id));
  while (step()) await yieldToEventLoop();
  store.transaction(() => store.erasure.end(operator_id));
}

/** Continues erasures that an earlier process did not finish. */
export async function resumeErasures(ctx: AppContext): Promise<void> {
  const { erasure, leftovers } = ctx.store;
  const marks: Marks[] = [];
  for (const id of erasure.pending()) {
    marks.push(leftovers.marksOf(id));
    await eraseInSteps(ctx, id);
  }
  if (marks.length > 0) await ctx.publications.publishNow({ hides: true, marks: marks.flat() });
}

/** Reserves the names, enters the erasure in the log, and closes the account. */
function closeAccount(board: Board, operator_id: number): number | null {
  const { store } = board;
  const { id, public_id, codename } = operatorOf(board, operator_id);
  const now = board.now();
  const former = store.codenames.formerOf(id, now.toISOString());
  for (const name of [codename, ...former]) reserveCodename(board, name);
  const entries = store.erasure.begin({ id, public_id }, now.toISOString());
  if (entries.length === 0) return null;
  const payload = { entries };
  return store.log.append({ kind: 'erase', operator_id: null, payload, now }).log_index;
}
