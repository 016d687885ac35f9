import { DomainError } from '#core/domain/text/errors.ts';
import type { AppContext } from '#server/context.ts';
import type { Publication } from './publication.ts';

/**
 * The publication that this request reads.
 *
 * @throws {DomainError} `service_unavailable` before the first one.
 */
export function currentPublication(ctx: AppContext): Publication {
  const publication = ctx.publications.current();
  if (!publication) throw new DomainError('service_unavailable', 'Nothing is published yet');
  return publication;
}

export type PublicOperator = NonNullable<
  ReturnType<AppContext['store']['operators']['byCodename']>
>;

/**
 * The operator of this name with a public page. Accounts that are not in the log, private operators and anonymous
 * operators have none.
 *
 * @throws {DomainError} `not_found` if there is none.
 */
export function publicOperator({ store }: AppContext, codename: string): PublicOperator {
  const operator = store.operators.byCodename(codename);
  if (operator && operator.log_index > 0 && operator.is_open === 1) return operator;
  throw noOperator(codename);
}

/** The error for an operator without a public page, the same whether the operator does not exist or is not public. */
export function noOperator(codename: string): DomainError {
  return new DomainError('not_found', `No operator ${codename} was found`);
}
