/** Files of text that are no operations of the API. */
import type { APIContext, APIRoute } from 'astro';
import { weakTag } from './entity-tag.ts';
import { problemResponse } from './endpoint.ts';

/** How long a copy may be kept of what changes with the board, in seconds. */
const KEPT_SECONDS = 300;

export interface TextOptions {
  /** How long a copy may be kept, in seconds. */
  keptSeconds?: number;
  /** What the text says without the moment of its computation; all of it if absent. */
  content?: (text: string, context: APIContext) => string;
}

/**
 * Serves a text, or the problem with which making it fails.
 *
 * @param mediaType Without its charset, which is UTF-8.
 */
export function textEndpoint(
  mediaType: string,
  textOf: (context: APIContext) => Promise<string> | string,
  { keptSeconds = KEPT_SECONDS, content }: TextOptions = {},
): APIRoute {
  return async (context) => {
    try {
      const headers = {
        'Content-Type': `${mediaType}; charset=utf-8`,
        'Cache-Control': `public, max-age=${keptSeconds}`,
      };
      const text = await textOf(context);
      const tag = content && { ETag: weakTag(content(text, context)) };
      return new Response(text, { headers: { ...headers, ...tag } });
    } catch (error) {
      return problemResponse(error, context);
    }
  };
}
