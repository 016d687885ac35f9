import type { APIRoute } from 'astro';
import { atomXml } from '#server/feeds/atom.ts';
import { problemResponse } from '#server/http/endpoint.ts';
import { readFirstKey } from '#server/queries/board-keys.ts';
import { readFeed } from '#server/queries/feed.ts';
import { feedEntry } from '../components/feed-words.ts';

/** How long a copy may be kept, in seconds. */
const KEPT_SECONDS = 300;

export const GET: APIRoute = async (context) => {
  const { ctx } = context.locals;
  const { baseUrl, site } = ctx.config;
  try {
    const { updated, items, tools } = await readFeed(ctx);
    const xml = atomXml({
      board: readFirstKey(ctx),
      baseUrl,
      title: site.name,
      subtitle: site.description,
      updated,
      entries: items.map((item) => feedEntry(item, { baseUrl, tools })),
    });
    const headers = {
      'Content-Type': 'application/atom+xml; charset=utf-8',
      'Cache-Control': `public, max-age=${KEPT_SECONDS}`,
    };
    return new Response(xml, { headers });
  } catch (error) {
    return problemResponse(error, context);
  }
};
