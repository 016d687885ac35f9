import { robotsTxt } from '#core/contract/crawlers.ts';
import { textEndpoint } from '#server/http/text-endpoint.ts';

export const GET = textEndpoint(
  'text/plain',
  ({ locals }) => robotsTxt(locals.ctx.config.baseUrl),
  { keptSeconds: 3600 },
);
