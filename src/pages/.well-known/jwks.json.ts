import { getProviderKeys } from '#core/contract/oauth.ts';
import { bind, endpoint } from '#server/http/endpoint.ts';
import { readProviderKeys } from '#server/identity/provider/oauth-metadata.ts';

export const ALL = endpoint(bind(getProviderKeys, ({ ctx }) => ({ body: readProviderKeys(ctx) })));
