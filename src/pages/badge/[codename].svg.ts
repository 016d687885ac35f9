import type { APIRoute } from 'astro';
import { readBadge } from '#server/board/badge.ts';
import { badge } from '../../charts/badge.ts';
import { badgeWords } from '#components/operator/badge-words.ts';

/** How long a copy may be kept after an operator stands elsewhere or came to be hidden, in seconds. */
const KEPT_SECONDS = 300;

/** Never an error: a page that shows it has nothing else to show in its place. */
export const GET: APIRoute = ({ locals, params, url: { searchParams } }) => {
  const { ctx } = locals;
  const { name: board, colours } = ctx.config.site;
  const place = readBadge(ctx, params['codename'] ?? '', searchParams);
  const show = searchParams.get('show') === 'value' ? 'value' : 'rank';
  const theme = searchParams.get('theme') === 'dark' ? 'dark' : 'light';
  const { svg } = badge({ board, colours: colours[theme], ...badgeWords(place, board, show) });
  const isPublished = place.standing !== 'unpublished';
  const headers = {
    'Content-Type': 'image/svg+xml; charset=utf-8',
    'Cache-Control': isPublished ? `public, max-age=${KEPT_SECONDS}` : 'no-store',
  };
  return new Response(svg, { headers });
};
