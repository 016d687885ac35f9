import type { APIContext } from 'astro';
import { ATOM_MEDIA_TYPE, operatorFeedPath } from '#core/domain/text/file-paths.ts';
import { atomContent, atomXml } from '#server/feeds/atom.ts';
import { textEndpoint } from '#server/http/text-endpoint.ts';
import { readMilestoneFeed } from '#server/board/operator-milestones.ts';
import { readFirstKey } from '#server/public-log/log.ts';
import { milestoneEntry } from '#components/operator/milestone-words.ts';
import { operatorHref } from '#components/text/addresses.ts';

const textOf = async ({ locals: { ctx }, params }: APIContext) => {
  const { baseUrl, site } = ctx.config;
  const { id, codename, milestones, generated_at } = await readMilestoneFeed(
    ctx,
    params['codename'] ?? '',
  );
  const entries = milestones.map((milestone) => milestoneEntry(milestone, { id, codename }));
  return atomXml({
    board: readFirstKey(ctx),
    baseUrl,
    name: `feed of ${id}`,
    path: operatorFeedPath(codename),
    href: operatorHref(codename),
    title: `${codename} on ${site.name}`,
    subtitle: `Milestones of ${codename}`,
    updated: entries[0]?.updated ?? generated_at,
    entries,
  });
};

export const GET = textEndpoint(ATOM_MEDIA_TYPE, textOf, atomContent);
