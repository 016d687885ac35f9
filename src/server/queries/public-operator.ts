import { DomainError } from '#core/domain/errors.ts';
import type { AppContext } from '../context.ts';

export type PublicOperator = NonNullable<
  ReturnType<AppContext['store']['operators']['byCodename']>
>;

/**
 * The operator of this name, as far as anyone may know: an account that never enrolled a device is
 * not in the log, and nothing of it is public.
 *
 * @throws {DomainError} `not_found` if there is none.
 */
export function publicOperator({ store }: AppContext, codename: string): PublicOperator {
  const operator = store.operators.byCodename(codename);
  if (operator && operator.log_index > 0) return operator;
  throw new DomainError('not_found', `There is no operator ${codename}`);
}
