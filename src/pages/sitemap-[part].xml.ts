import { ROUTE_TABLE } from '#core/contract/routes.ts';
import { sitemapXml } from '#server/feeds/sitemap.ts';
import { textEndpoint } from '#server/http/text-endpoint.ts';
import { readSitemap } from '#server/board/sitemap.ts';
import { docsTexts } from '../components/docs/docs-pages.ts';

export const GET = textEndpoint('application/xml', async ({ locals: { ctx }, params }) => {
  const documents = (await docsTexts()).map(({ path }) => path);
  const facts = { baseUrl: ctx.config.baseUrl, part: params['part'] };
  return sitemapXml(readSitemap(ctx, ROUTE_TABLE, documents), facts);
});
