import { getMcpProtectedResource } from '#core/contract/oauth.ts';
import { bind, endpoint } from '#server/http/endpoint.ts';
import { readProtectedResource } from '#server/identity/provider/oauth-metadata.ts';

export const ALL = endpoint(
  bind(getMcpProtectedResource, ({ ctx }) => ({ body: readProtectedResource(ctx, 'mcp') })),
);
