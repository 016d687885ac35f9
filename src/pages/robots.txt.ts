import { CLOSED_ROBOTS_TXT, robotsTxt } from '#core/contract/crawlers.ts';
import { ROUTE_TABLE } from '#core/contract/routes.ts';
import { textEndpoint } from '#server/http/text-endpoint.ts';

export const GET = textEndpoint('text/plain', ({ locals: { ctx } }) => {
  const { access, baseUrl } = ctx.config;
  return access.read === 'members' ? CLOSED_ROBOTS_TXT : robotsTxt(baseUrl, ROUTE_TABLE);
});
