import type { APIRoute } from 'astro';
import { cacheControlAt } from '#server/http/response/cache-control.ts';
import { problemResponse } from '#server/http/endpoint.ts';
import { streamOf } from '#server/http/response/reply.ts';
import { payloadLines } from '#server/public-log/tiles.ts';

export const GET: APIRoute = (context) => {
  try {
    const lines = payloadLines(context.locals.ctx, context.params['path'] ?? '');
    const headers = {
      'Content-Type': 'application/x-ndjson',
      'Cache-Control': cacheControlAt(context.url.pathname),
      // It is compressed while it is sent.
      Vary: 'Accept-Encoding',
    };
    return new Response(streamOf(lines), { headers });
  } catch (error) {
    return problemResponse(error, context);
  }
};
