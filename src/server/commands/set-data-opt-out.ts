import type { DataOptOut } from '#core/contract/account.ts';
import type { AppContext } from '../context.ts';
import { operatorOf } from '../operator.ts';
import { changeVisibility } from '../visibility.ts';

/**
 * Keeps an operator's records out of the corpus, or lets them in again. No publication tells of it, and
 * the corpus reads it anew for each answer.
 *
 * @throws {DomainError} `not_found` if the account was deleted meanwhile.
 */
export function setDataOptOut(
  ctx: AppContext,
  operator_id: number,
  { opt_out }: DataOptOut,
): DataOptOut {
  const data_opt_out = opt_out ? 1 : 0;
  ctx.store.transaction(() => {
    if (operatorOf(ctx, operator_id).data_opt_out === data_opt_out) return;
    changeVisibility(ctx, operator_id, { data_opt_out });
  });
  return { opt_out };
}
