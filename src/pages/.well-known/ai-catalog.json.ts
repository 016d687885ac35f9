import { getAiCatalog } from '#core/contract/mcp/manifests.ts';
import { bind, endpoint } from '#server/http/endpoint.ts';
import { readAiCatalog } from '#server/mcp/manifests.ts';

export const ALL = endpoint(bind(getAiCatalog, ({ ctx }) => ({ body: readAiCatalog(ctx) })));
