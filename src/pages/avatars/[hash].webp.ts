import type { APIRoute } from 'astro';
import { cacheControlAt } from '#server/http/response/cache-control.ts';
import { readShownAvatar } from '#server/operator/own-profile.ts';

export const GET: APIRoute = ({ locals, params, url }) => {
  const body = readShownAvatar(locals.ctx, params['hash'] ?? '');
  if (!body) return new Response('Image not found.\n', { status: 404 });
  const headers = {
    'Content-Type': 'image/webp',
    'Cache-Control': cacheControlAt(url.pathname),
  };
  return new Response(new Uint8Array(body), { headers });
};
