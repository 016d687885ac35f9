/** Serves text files that are not part of the API. */
import type { APIContext, APIRoute } from 'astro';
import { weakTag } from './response/prepared-response.ts';
import { problemResponse } from './endpoint.ts';
import { movedResponse } from './routes/codename-redirects.ts';
import { cacheControlAt } from './response/cache-control.ts';

/** Returns a text without the time at which it was computed. */
type Content = (text: string, context: APIContext) => string;

/**
 * Serves a text, or a problem if making it fails.
 *
 * @param mediaType Without its charset, which is UTF-8.
 */
export function textEndpoint(
  mediaType: string,
  textOf: (context: APIContext) => Promise<string> | string,
  content?: Content,
): APIRoute {
  return async (context) => {
    try {
      const headers = {
        'Content-Type': `${mediaType}; charset=utf-8`,
        'Cache-Control': cacheControlAt(context.url.pathname),
      };
      const text = await textOf(context);
      const tag = content && { ETag: weakTag(content(text, context)) };
      return new Response(text, { headers: { ...headers, ...tag } });
    } catch (error) {
      return movedResponse(error, context) ?? problemResponse(error, context);
    }
  };
}
