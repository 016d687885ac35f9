import { sitemapXml } from '#server/feeds/sitemap.ts';
import { textEndpoint } from '#server/http/text-endpoint.ts';
import { readSitemap } from '#server/board/sitemap.ts';

export const GET = textEndpoint('application/xml', ({ locals: { ctx }, params }) => {
  return sitemapXml(readSitemap(ctx), { baseUrl: ctx.config.baseUrl, part: params['part'] });
});
