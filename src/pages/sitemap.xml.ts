import type { APIRoute } from 'astro';
import { sitemapXml } from '#server/feeds/sitemap.ts';
import { problemResponse } from '#server/http/endpoint.ts';
import { readSitemap } from '#server/queries/sitemap.ts';

/** How long a copy may be kept, in seconds. */
const KEPT_SECONDS = 300;

export const GET: APIRoute = async (context) => {
  const { ctx } = context.locals;
  const { baseUrl } = ctx.config;
  try {
    const xml = await sitemapXml(readSitemap(ctx), { baseUrl });
    const headers = {
      'Content-Type': 'application/xml; charset=utf-8',
      'Cache-Control': `public, max-age=${KEPT_SECONDS}`,
    };
    return new Response(xml, { headers });
  } catch (error) {
    return problemResponse(error, context);
  }
};
