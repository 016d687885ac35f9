import type { Operator, ProfileRow } from '#db/operators.ts';
import { DomainError } from '#core/domain/errors.ts';
import type { AppContext } from './context.ts';

export type { Operator, ProfileRow };

/**
 * The operator that a caller is.
 *
 * @throws {DomainError} `not_found` if the account was deleted meanwhile.
 */
export function operatorOf({ store }: Pick<AppContext, 'store'>, operator_id: number): Operator {
  const operator = store.operators.byId(operator_id);
  if (operator) return operator;
  throw new DomainError('not_found', 'The account was deleted');
}
