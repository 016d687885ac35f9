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
  if (!publication) throw new DomainError('service_unavailable', 'No board is published yet');
  return publication;
}

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
  throw noOperator(codename);
}

/** The same of who never was and of whom the public must not see. */
export function noOperator(codename: string): DomainError {
  return new DomainError('not_found', `There is no operator ${codename}`);
}
