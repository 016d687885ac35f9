import { robotsTxt } from '#core/contract/crawlers.ts';
import { ROUTE_TABLE } from '#core/contract/routes.ts';
import { textEndpoint } from '#server/http/text-endpoint.ts';

export const GET = textEndpoint('text/plain', ({ locals }) =>
  robotsTxt(locals.ctx.config.baseUrl, ROUTE_TABLE),
);
