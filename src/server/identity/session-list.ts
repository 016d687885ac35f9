import type { Sessions } from '#core/contract/sessions.ts';
import type { Caller } from '#core/schema/account.ts';
import { browserSessionOf } from './end-session.ts';
import type { AppContext } from '../context.ts';

/** The browsers that the caller is signed in with, the one seen last first. */
export function readSessions(
  { store, now }: AppContext,
  { operator_id, session_id }: Caller,
): Sessions {
  const rows = store.sessions.ofOperator(operator_id);
  const sessions = rows.map((row) => browserSessionOf(row, session_id));
  const time = now().toISOString();
  return { sessions: sessions.filter(({ expires_at }) => expires_at > time) };
}
