import { providerEndpoint } from '#server/http/provider-endpoint.ts';

export const ALL = providerEndpoint();
