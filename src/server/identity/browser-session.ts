import type { SessionRow } from '#db/sessions.ts';
import type { BrowserSession } from '#core/schema/account.ts';
import { sessionEnd } from './sessions.ts';

/** Stands where a session began before the kind of browser was kept. */
const UNKNOWN_BROWSER = 'A browser';

/**
 * A session as its operator sees it.
 *
 * @param current The id of the one that asks, if it is one.
 */
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
