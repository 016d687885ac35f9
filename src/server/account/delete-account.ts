import type { Marks } from '#db/engine/leftovers.ts';
import type { AccountDeleted } from '#core/contract/account.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import type { AppContext, Board } from '../context.ts';
import { yieldToEventLoop } from '../process/yield-to-event-loop.ts';
import { reserveCodename } from '../operator/codenames.ts';
import { operatorOf } from '../operator/operator.ts';

/**
 * Deletes an account and all that names it. The log keeps the hashes of its entries, so that the chain still
 * holds, and tells which were erased; the names stay reserved for a while, as hashes. Kept when no table and no
 * publication holds it, and what was left in free parts of the database's file is overwritten, unless another
 * process kept the board from that.
 */
export async function deleteAccount(
  ctx: AppContext,
  operator_id: number,
  confirmed: string,
): Promise<AccountDeleted> {
  const { marks, log_index, isLong } = ctx.store.transaction(() => {
    const { codename } = operatorOf(ctx, operator_id);
    if (confirmed !== codename) {
      throw new DomainError('confirmation_mismatch', 'The codename of the account is another one');
    }
    const marks = ctx.store.leftovers.marksOf(operator_id);
    return { marks, ...beginErasure(ctx, operator_id) };
  });
  if (isLong) {
    // Nobody sees it while the rest is erased. If this fails, the next publication hides it all the same.
    const hidden = ctx.publications.publishNow({ hides: true }).catch(() => undefined);
    await eraseInSteps(ctx, operator_id);
    await hidden;
  }
  await ctx.publications.publishNow({ hides: true, marks });
  return { log_index };
}

/** An account that has more is erased in steps: this much takes some 20 ms. */
const AT_ONCE = { bytes: 2 * 1024 * 1024, buckets: 2000 };

interface Erasure {
  /** The log entry that tells of the erasure; null if the log never knew the account. */
  log_index: number | null;
  /** Whether it is closed only, and `eraseInSteps` has to do the rest. */
  isLong: boolean;
}

/**
 * Deletes an account and all that names it, keeps its names back as hashes, and tells the log which entries are
 * empty now. Call it inside a transaction.
 */
export function eraseAccount(board: Board, operator_id: number): void {
  closeAccount(board, operator_id);
  board.store.erasure.end(operator_id);
}

/**
 * Deletes an account at once if it is short. A long one is closed: nobody can act for it or see it, and what is
 * left of it is to be erased in steps. Call it inside a transaction.
 */
export function beginErasure(board: Board, operator_id: number): Erasure {
  const { erasure } = board.store;
  const { bytes, buckets } = erasure.sizeOf(operator_id);
  const log_index = closeAccount(board, operator_id);
  const isLong = bytes > AT_ONCE.bytes || buckets > AT_ONCE.buckets;
  if (!isLong) erasure.end(operator_id);
  return { log_index, isLong };
}

/**
 * Erases what is left of a closed account, a short transaction a turn of the event loop. A process that
 * ends in the middle leaves the rest to the next one.
 */
async function eraseInSteps({ store }: Pick<Board, 'store'>, operator_id: number) {
  const step = () => store.transaction(() => store.erasure.step(operator_id));
  while (step()) await yieldToEventLoop();
  store.transaction(() => store.erasure.end(operator_id));
}

/** Goes on with what an earlier process began to erase. */
export async function resumeErasures(ctx: AppContext): Promise<void> {
  const { erasure, leftovers } = ctx.store;
  const marks: Marks[] = [];
  for (const id of erasure.pending()) {
    marks.push(leftovers.marksOf(id));
    await eraseInSteps(ctx, id);
  }
  if (marks.length > 0) await ctx.publications.publishNow({ hides: true, marks: marks.flat() });
}

/** Keeps the names back, enters the erasure in the log, and closes the account. */
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
