import type { APIContext } from 'astro';
import { ATOM_MEDIA_TYPE, ATOM_PATH } from '#core/domain/text/file-paths.ts';
import { atomContent, atomXml } from '#server/feeds/atom.ts';
import { textEndpoint } from '#server/http/text-endpoint.ts';
import { readFirstKey } from '#server/public-log/log.ts';
import { readFeed } from '#server/board/feed.ts';
import { feedEntry } from '../components/text/feed-words.ts';

const textOf = async ({ locals: { ctx } }: APIContext) => {
  const { baseUrl, site } = ctx.config;
  const { updated, items, tools } = await readFeed(ctx);
  return atomXml({
    board: readFirstKey(ctx),
    baseUrl,
    name: 'feed',
    path: ATOM_PATH,
    href: '/',
    title: site.name,
    subtitle: site.description,
    updated,
    entries: items.map((item) => feedEntry(item, { baseUrl, tools })),
  });
};

export const GET = textEndpoint(ATOM_MEDIA_TYPE, textOf, atomContent);
