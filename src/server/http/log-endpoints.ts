/** Serves the parts of the log that are not texts. */
import type { APIContext, APIRoute } from 'astro';
import { problemResponse } from './endpoint.ts';
import { cacheControlAt } from './response/cache-control.ts';
import { weakTag } from './response/prepared-response.ts';
import { streamOf } from './response/reply.ts';

/** Serves bytes that never change, or a problem if reading them fails. */
export function immutableEndpoint(bytesOf: (context: APIContext) => Uint8Array): APIRoute {
  return (context) => {
    try {
      const headers = {
        'Content-Type': 'application/octet-stream',
        'Cache-Control': `${cacheControlAt(context.url.pathname)}, immutable`,
      };
      return new Response(new Uint8Array(bytesOf(context)), { headers });
    } catch (error) {
      return problemResponse(error, context);
    }
  };
}

interface TaggedLines {
  /** The same for the same lines. */
  tag: string;
  lines: Iterable<string>;
}

/** Streams lines of JSON, or serves a problem if the first step fails. */
export function linesEndpoint(read: (context: APIContext) => TaggedLines): APIRoute {
  return (context) => {
    try {
      const { tag, lines } = read(context);
      const headers = {
        ETag: weakTag(tag),
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
}
