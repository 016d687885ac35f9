import type { APIRoute } from 'astro';
import { cacheControlAt } from '#server/http/response/cache-control.ts';
import { problemResponse } from '#server/http/endpoint.ts';
import { openPublicLog } from '#server/public-log/log.ts';

export const GET: APIRoute = (context) => {
  try {
    const { bytes, size, etag } = openPublicLog(context.locals.ctx);
    const headers = {
      'Content-Type': 'application/gzip',
      'Content-Length': String(size),
      'Content-Disposition': 'attachment; filename="log.ndjson.gz"',
      'Cache-Control': cacheControlAt(context.url.pathname),
      ETag: etag,
    };
    return new Response(bytes, { headers });
  } catch (error) {
    return problemResponse(error, context);
  }
};
