import type { DataOptOut } from '#core/contract/account.ts';
import type { AppContext } from '../context.ts';
import { operatorOf } from '../operator.ts';
import { changeVisibility } from '../visibility.ts';

/**
 * Keeps an operator's records out of the corpus, the medians and the boards of cohorts, or lets them in
 * again. Kept when the public sees it so, on no earlier publication either; the corpus reads it anew for
 * each answer.
 *
 * @throws {DomainError} `not_found` if the account was deleted meanwhile.
 */
export async function setDataOptOut(
  ctx: AppContext,
  operator_id: number,
  { opt_out }: DataOptOut,
): Promise<DataOptOut> {
  const data_opt_out = opt_out ? 1 : 0;
  const before = ctx.store.transaction(() => {
    const operator = operatorOf(ctx, operator_id);
    if (operator.data_opt_out === data_opt_out) return null;
    changeVisibility(ctx, operator_id, { data_opt_out });
    return operator;
  });
  if (before && before.public_name !== null && before.log_index > 0) {
    await ctx.publications.publishNow({ hides: opt_out });
  }
  return { opt_out };
}
