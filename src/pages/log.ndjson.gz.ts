import type { APIRoute } from 'astro';
import { problemResponse } from '#server/http/endpoint.ts';
import { openPublicLog } from '#server/public-log/public-log.ts';

/** How long a copy may be kept after somebody came to be hidden, in seconds. */
const KEPT_SECONDS = 60;

export const GET: APIRoute = (context) => {
  try {
    const { bytes, size, etag } = openPublicLog(context.locals.ctx);
    const headers = {
      'Content-Type': 'application/gzip',
      'Content-Length': String(size),
      'Content-Disposition': 'attachment; filename="log.ndjson.gz"',
      'Cache-Control': `public, max-age=${KEPT_SECONDS}`,
      ETag: etag,
    };
    return new Response(bytes, { headers });
  } catch (error) {
    return problemResponse(error, context);
  }
};
