import type { Operator, ProfileRow } from '#db/operators.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import type { AppContext } from '../context.ts';

export type { Operator, ProfileRow };

/**
 * The operator with this ID.
 *
 * @throws {DomainError} `not_found` if the account was deleted.
 */
export function operatorOf({ store }: Pick<AppContext, 'store'>, operator_id: number): Operator {
  const operator = store.operators.byId(operator_id);
  if (operator) return operator;
  throw new DomainError('not_found', 'This account was deleted');
}

/** A key that changes with an operator's counts and visibility. */
export function changeKey({ id, log_index }: Pick<Operator, 'id' | 'log_index'>): string {
  return `${id}/${log_index}`;
}

/** The operator who is signed in with this `Cookie` header; undefined if there is none. */
export async function operatorHere(
  { sessions, store }: Pick<AppContext, 'sessions' | 'store'>,
  cookieHeader: string | null,
): Promise<Operator | undefined> {
  const session = await sessions.read(cookieHeader);
  return session ? store.operators.byId(session.operator_id) : undefined;
}
