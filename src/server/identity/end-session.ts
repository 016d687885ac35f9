import type { SessionRow } from '#db/sessions.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import type { BrowserSession, Caller } from '#core/schema/account.ts';
import type { AppContext } from '../context.ts';
import { sessionEnd } from './sessions.ts';

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

/** Stands where a session began before the kind of browser was kept. */
const UNKNOWN_BROWSER = 'A browser';

/** A session as its operator sees it. */
export function browserSessionOf(row: SessionRow, current: string | undefined): BrowserSession {
  const { public_id: id, method, label, created_at, last_seen_at } = row;
  const expires_at = new Date(sessionEnd(row)).toISOString();
  return {
    id,
    current: id === current,
    method,
    label: label ?? UNKNOWN_BROWSER,
    created_at,
    last_seen_at,
    expires_at,
  };
}
