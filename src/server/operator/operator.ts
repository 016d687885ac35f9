import type { Operator, ProfileRow } from '#db/operators.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import type { AppContext } from '../context.ts';

export type { Operator, ProfileRow };

/** The operator that a caller is. */
export function operatorOf({ store }: Pick<AppContext, 'store'>, operator_id: number): Operator {
  const operator = store.operators.byId(operator_id);
  if (operator) return operator;
  throw new DomainError('not_found', 'The account was deleted');
}

/** Another text with each change of what counts for an operator, and of how it is seen. */
export function changeKey({ id, log_index }: Pick<Operator, 'id' | 'log_index'>): string {
  return `${id}/${log_index}`;
}

/** Who is signed in at the board in the browser that a `Cookie` header is of; undefined if nobody is. */
export async function operatorHere(
  { sessions, store }: Pick<AppContext, 'sessions' | 'store'>,
  cookieHeader: string | null,
): Promise<Operator | undefined> {
  const session = await sessions.read(cookieHeader);
  return session ? store.operators.byId(session.operator_id) : undefined;
}
