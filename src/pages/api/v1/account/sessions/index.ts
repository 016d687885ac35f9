import { endOtherSessions, listSessions } from '#core/contract/sessions.ts';
import { endOtherSessions as endOthers } from '#server/identity/end-session.ts';
import { bind, endpoint } from '#server/http/endpoint.ts';
import { readSessions } from '#server/identity/session-list.ts';

export const ALL = endpoint(
  bind(listSessions, ({ ctx, caller }) => ({ body: readSessions(ctx, caller) })),
  bind(endOtherSessions, ({ ctx, caller }) => ({ body: { sessions: endOthers(ctx, caller) } })),
);
