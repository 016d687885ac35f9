import type { APIRoute } from 'astro';
import { BADGE_CONTENTS, BADGE_STYLES, badgeChoice } from '#core/domain/board/badge.ts';
import { SCHEMES } from '#core/domain/board/colours.ts';
import { cacheControlAt } from '#server/http/response/cache-control.ts';
import { readBadge } from '#server/board/badge.ts';
import { badge } from '../../charts/badge.ts';
import { badgeWords } from '#components/operator/badge-words.ts';

/** Never returns an error, because the embedding page could not show anything else. */
export const GET: APIRoute = ({ locals, params, url: { pathname, searchParams } }) => {
  const { ctx } = locals;
  const { name: board, colours } = ctx.config.site;
  const place = readBadge(ctx, params['codename'] ?? '', searchParams);
  const show = badgeChoice(BADGE_CONTENTS, searchParams.get('show'));
  const style = badgeChoice(BADGE_STYLES, searchParams.get('style'));
  const theme = badgeChoice(SCHEMES, searchParams.get('theme'));
  const { svg } = badge({
    board,
    style,
    colours: colours[theme],
    ...(show === 'class' && { tier: place.tier }),
    ...badgeWords(place, board, show),
  });
  const isPublished = place.standing !== 'unpublished';
  const headers = {
    'Content-Type': 'image/svg+xml; charset=utf-8',
    'Cache-Control': isPublished ? cacheControlAt(pathname) : 'no-store',
  };
  return new Response(svg, { headers });
};
