import { parseUsage } from '#core/contract/ingest.ts';
import { parseUsage as parse } from '#server/submission/parse-usage.ts';
import { bind, endpoint } from '#server/http/endpoint.ts';

export const ALL = endpoint(bind(parseUsage, ({ ctx, body }) => ({ body: parse(ctx, body) })));
