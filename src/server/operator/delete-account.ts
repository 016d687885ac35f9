import type { AccountDeleted } from '#core/contract/account-delete.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import type { AppContext } from '../context.ts';
import { beginErasure, eraseInSteps } from './erase-account.ts';
import { operatorOf } from './operator.ts';

/**
 * Deletes an account and all that names it. The log keeps the hashes of its entries, so that the chain
 * still holds, and tells which were erased; the names stay reserved for a while, as hashes. Kept when
 * no table and no publication holds it, and what was left in free parts of the database's file is
 * overwritten, unless another process kept the board from that.
 *
 * @param confirmed The account's codename, as the operator typed it.
 * @throws {DomainError} `confirmation_mismatch` if that is not the codename, `not_found` if the account
 *   was deleted meanwhile.
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
