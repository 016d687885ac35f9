import type { APIContext } from 'astro';
import { ATOM_MEDIA_TYPE } from '#core/domain/text/file-paths.ts';
import { readChallengeFeed } from '#server/board/feed.ts';
import { atomContent, atomXml } from '#server/feeds/atom.ts';
import { textEndpoint } from '#server/http/text-endpoint.ts';
import { readFirstKey } from '#server/public-log/log.ts';
import { challengeFeedHref, challengeHref } from '../../components/text/addresses.ts';
import { feedEntry } from '../../components/text/feed-words.ts';

const textOf = ({ locals: { ctx }, params }: APIContext) => {
  const { baseUrl, site } = ctx.config;
  const id = params['id'] ?? '';
  const { title, description, updated, items, tools } = readChallengeFeed(ctx, id);
  return atomXml({
    board: readFirstKey(ctx),
    baseUrl,
    name: `challenge ${id}`,
    path: challengeFeedHref(id),
    href: challengeHref(id),
    title: `${title}, ${site.name}`,
    subtitle: description,
    updated,
    entries: items.map((item) => feedEntry(item, { baseUrl, tools })),
  });
};

export const GET = textEndpoint(ATOM_MEDIA_TYPE, textOf, atomContent);
