import { DomainError } from '#core/domain/text/errors.ts';
import type { BrowserSession } from '#core/schema/account.ts';
import type { Caller } from '#core/schema/session.ts';
import { browserSessionOf } from './browser-session.ts';
import type { AppContext } from '../context.ts';

/**
 * Signs one of the caller's browsers out.
 *
 * @throws {DomainError} `not_found` if none of them has this session.
 */
export function endSession(
  { store }: AppContext,
  { operator_id, session_id }: Caller,
  id: string,
): BrowserSession {
  const row = store.sessions.revoke(operator_id, id);
  if (!row) throw new DomainError('not_found', `None of your sessions has the id ${id}`);
  return browserSessionOf(row, session_id);
}

/** Signs all of the caller's browsers out but the one that asks. */
export function endOtherSessions(
  { store }: AppContext,
  { operator_id, session_id }: Caller,
): BrowserSession[] {
  const rows = store.sessions.revokeOthers(operator_id, session_id ?? '');
  return rows.map((row) => browserSessionOf(row, session_id));
}
