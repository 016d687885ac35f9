import type { APIRoute } from 'astro';
import { readShownAvatar } from '#server/operator/own-profile.ts';

/** How long a copy may be kept after its owner stops showing it, in seconds. */
const KEPT_SECONDS = 60 * 60;

export const GET: APIRoute = ({ locals, params }) => {
  const body = readShownAvatar(locals.ctx, params['hash'] ?? '');
  if (!body) return new Response('There is no such picture.\n', { status: 404 });
  const headers = {
    'Content-Type': 'image/webp',
    'Cache-Control': `public, max-age=${KEPT_SECONDS}`,
  };
  return new Response(new Uint8Array(body), { headers });
};
