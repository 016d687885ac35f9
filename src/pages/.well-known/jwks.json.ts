import { getProviderKeys } from '#core/contract/oauth.ts';
import { bind, endpoint } from '#server/http/endpoint.ts';
import { readProviderKeys } from '#server/queries/oauth-metadata.ts';

export const ALL = endpoint(bind(getProviderKeys, ({ ctx }) => ({ body: readProviderKeys(ctx) })));
