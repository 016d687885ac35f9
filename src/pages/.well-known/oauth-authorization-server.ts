import { getAuthorizationServer } from '#core/contract/oauth.ts';
import { bind, endpoint } from '#server/http/endpoint.ts';
import { readAuthorizationServer } from '#server/identity/provider/oauth-metadata.ts';

export const ALL = endpoint(
  bind(getAuthorizationServer, async ({ ctx }) => ({ body: await readAuthorizationServer(ctx) })),
);
