import type { DataOptOut } from '#core/contract/account.ts';
import type { AppContext } from '../context.ts';
import { operatorOf } from '../operator.ts';
import { changeVisibility } from '../visibility.ts';

/**
 * Keeps an operator's data out of what others compute from them, or lets them in again. Kept when that
 * holds everywhere.
 *
 * @throws {DomainError} `not_found` if the account was deleted meanwhile.
 */
export async function setDataOptOut(
  ctx: AppContext,
  operator_id: number,
  { opt_out }: DataOptOut,
): Promise<DataOptOut> {
  const data_opt_out = opt_out ? 1 : 0;
  const changed = ctx.store.transaction(() => {
    const before = operatorOf(ctx, operator_id);
    if (before.data_opt_out === data_opt_out) return false;
    changeVisibility(ctx, operator_id, { data_opt_out });
    return before.log_index > 0;
  });
  if (changed) await ctx.publications.publishNow();
  return { opt_out };
}
