import type { DataOptOut } from '#core/contract/account.ts';
import type { AppContext } from '../context.ts';
import { operatorOf } from './operator.ts';
import { changeVisibility, countShowing } from './visibility.ts';

/**
 * Keeps an operator's records out of the corpus, the medians and the boards of cohorts, or lets them in again.
 * Kept when the public sees it so, on no earlier publication either; the corpus reads it anew for each answer.
 */
export async function setDataOptOut(ctx: AppContext, operator_id: number, { opt_out }: DataOptOut) {
  const data_opt_out = opt_out ? 1 : 0;
  const change = ctx.store.transaction(() => {
    const operator = operatorOf(ctx, operator_id);
    if (operator.data_opt_out === data_opt_out) return null;
    const isSeen = operator.public_name !== null && operator.log_index > 0;
    if (isSeen && !opt_out) countShowing(ctx, operator_id);
    changeVisibility(ctx, operator_id, { data_opt_out });
    return { isSeen };
  });
  if (change?.isSeen) {
    await ctx.publications.publishNow({ hides: opt_out });
  }
  return { opt_out };
}
