import { endSession } from '#core/contract/sessions.ts';
import { endSession as end } from '#server/identity/end-session.ts';
import { bind, endpoint } from '#server/http/endpoint.ts';

export const ALL = endpoint(
  bind(endSession, ({ ctx, caller, params }) => ({ body: end(ctx, caller, params.id) })),
);
