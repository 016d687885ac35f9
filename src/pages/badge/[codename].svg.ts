import type { APIRoute } from 'astro';
import { cacheControlAt } from '#server/http/response/cache-control.ts';
import { readBadge } from '#server/board/badge.ts';
import { badge } from '../../charts/badge.ts';
import { badgeWords } from '#components/operator/badge-words.ts';

/** Never returns an error, because the embedding page could not show anything else. */
export const GET: APIRoute = ({ locals, params, url: { pathname, searchParams } }) => {
  const { ctx } = locals;
  const { name: board, colours } = ctx.config.site;
  const place = readBadge(ctx, params['codename'] ?? '', searchParams);
  const show = searchParams.get('show') === 'value' ? 'value' : 'rank';
  const theme = searchParams.get('theme') === 'dark' ? 'dark' : 'light';
  const { svg } = badge({ board, colours: colours[theme], ...badgeWords(place, board, show) });
  const isPublished = place.standing !== 'unpublished';
  const headers = {
    'Content-Type': 'image/svg+xml; charset=utf-8',
    'Cache-Control': isPublished ? cacheControlAt(pathname) : 'no-store',
  };
  return new Response(svg, { headers });
};
