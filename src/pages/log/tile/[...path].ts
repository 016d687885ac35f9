import type { APIRoute } from 'astro';
import { cacheControlAt } from '#server/http/response/cache-control.ts';
import { problemResponse } from '#server/http/endpoint.ts';
import { readTile } from '#server/public-log/tiles.ts';

export const GET: APIRoute = (context) => {
  try {
    const bytes = readTile(context.locals.ctx, `tile/${context.params['path']}`);
    const headers = {
      'Content-Type': 'application/octet-stream',
      'Cache-Control': `${cacheControlAt(context.url.pathname)}, immutable`,
    };
    return new Response(new Uint8Array(bytes), { headers });
  } catch (error) {
    return problemResponse(error, context);
  }
};
