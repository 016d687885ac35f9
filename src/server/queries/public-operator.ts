import { DomainError } from '#core/domain/errors.ts';
import type { AppContext } from '../context.ts';

export type PublicOperator = NonNullable<
  ReturnType<AppContext['store']['operators']['byCodename']>
>;

/**
 * The operator of this name who has a page of its own: nothing is public of an account that is not in
 * the log, nor of who is private, and no page leads to who is anonymous.
 *
 * @throws {DomainError} `not_found` if there is none.
 */
export function publicOperator({ store }: AppContext, codename: string): PublicOperator {
  const operator = store.operators.byCodename(codename);
  if (operator && operator.log_index > 0 && operator.is_open === 1) return operator;
  throw new DomainError('not_found', `There is no operator ${codename}`);
}
