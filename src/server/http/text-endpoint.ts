/** Files of text that are no operations of the API. */
import type { APIContext, APIRoute } from 'astro';
import { problemResponse } from './endpoint.ts';

/** How long a copy may be kept of what changes with the board, in seconds. */
const KEPT_SECONDS = 300;

export interface TextOptions {
  /** How long a copy may be kept, in seconds. */
  keptSeconds?: number;
}

/**
 * Serves a text, or the problem with which making it fails.
 *
 * @param mediaType Without its charset, which is UTF-8.
 */
export function textEndpoint(
  mediaType: string,
  textOf: (context: APIContext) => Promise<string> | string,
  { keptSeconds = KEPT_SECONDS }: TextOptions = {},
): APIRoute {
  return async (context) => {
    try {
      const headers = {
        'Content-Type': `${mediaType}; charset=utf-8`,
        'Cache-Control': `public, max-age=${keptSeconds}`,
      };
      return new Response(await textOf(context), { headers });
    } catch (error) {
      return problemResponse(error, context);
    }
  };
}
