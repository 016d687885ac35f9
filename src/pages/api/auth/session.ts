import { getSession } from '#core/contract/sessions.ts';
import { bind, endpoint } from '#server/http/endpoint.ts';
import { readSession } from '#server/identity/session-view.ts';

export const ALL = endpoint(
  bind(getSession, ({ ctx, caller }) => ({ body: readSession(ctx, caller) })),
);
