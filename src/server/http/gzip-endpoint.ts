import type { APIRoute } from 'astro';
import type { AppContext } from '../context.ts';
import { problemResponse } from './endpoint.ts';
import { cacheControlAt } from './response/cache-control.ts';

interface OpenFile {
  bytes: ReadableStream<Uint8Array>;
  size: number;
  etag: string;
}

/** An endpoint that sends a compressed file. */
export function gzipEndpoint(name: string, open: (ctx: AppContext) => OpenFile): APIRoute {
  return (context) => {
    try {
      const { bytes, size, etag } = open(context.locals.ctx);
      const headers = {
        'Content-Type': 'application/gzip',
        'Content-Length': String(size),
        'Content-Disposition': `attachment; filename="${name}"`,
        'Cache-Control': cacheControlAt(context.url.pathname),
        ETag: etag,
      };
      return new Response(bytes, { headers });
    } catch (error) {
      return problemResponse(error, context);
    }
  };
}
