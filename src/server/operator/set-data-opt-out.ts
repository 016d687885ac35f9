import type { DataOptOut, DataOptOutAnswer } from '#core/contract/account.ts';
import type { AppContext } from '../context.ts';
import { operatorOf } from './operator.ts';
import { otherMachines } from './other-machines.ts';
import { changeVisibility, countShowing } from './visibility.ts';

/**
 * Excludes an operator's records from the corpus, the medians and cohort leaderboards, or includes them again. Resolves
 * when the public sees the change, also on earlier publications. The corpus checks it with each response.
 */
export async function setDataOptOut(
  ctx: AppContext,
  operator_id: number,
  { opt_out }: DataOptOut,
): Promise<DataOptOutAnswer> {
  const data_opt_out = opt_out ? 1 : 0;
  const isSeen = ctx.store.transaction(() => {
    const operator = operatorOf(ctx, operator_id);
    if (operator.data_opt_out === data_opt_out) return false;
    const isSeen = operator.public_name !== null && operator.log_index > 0;
    if (isSeen && !opt_out) countShowing(ctx, operator_id);
    changeVisibility(ctx, operator_id, { data_opt_out });
    return isSeen;
  });
  if (isSeen) await ctx.publications.publishNow({ hides: opt_out });
  return { opt_out, ...otherMachines(ctx, isSeen && opt_out) };
}
