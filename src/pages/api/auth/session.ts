import { getSession } from '#core/contract/session.ts';
import { bind, endpoint } from '#server/http/endpoint.ts';
import { readSession } from '#server/queries/session.ts';

export const ALL = endpoint(
  bind(getSession, ({ ctx, caller }) => ({ body: readSession(ctx, caller) })),
);
