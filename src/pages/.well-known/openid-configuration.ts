import { getOpenidConfiguration } from '#core/contract/oauth.ts';
import { bind, endpoint } from '#server/http/endpoint.ts';
import { readOpenidConfiguration } from '#server/identity/provider/oauth-metadata.ts';

export const ALL = endpoint(
  bind(getOpenidConfiguration, async ({ ctx }) => ({ body: await readOpenidConfiguration(ctx) })),
);
