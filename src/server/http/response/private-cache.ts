/**
 * Marks responses that shared caches must not store: pages that Accept changes to Markdown at the same address, and
 * responses to requests with an API key. Shared caches distinguish responses by address, and not all respect Vary.
 * One that stored these could send Markdown to browsers, or data for a key to everyone.
 */
import type { IncomingMessage } from 'node:http';
import type { Found, PreparedBytes } from './prepared-response.ts';
import type { HttpLayerOptions } from '../http-layer.ts';

type Answers = Pick<HttpLayerOptions, 'lookup' | 'render'>;

const CACHE_CONTROL = 'cache-control';

/** Returns whether shared caches must not store a response that would otherwise be public. */
export function isForOne({ headers }: IncomingMessage, isChosen: boolean): boolean {
  return isChosen || headers['x-api-key'] !== undefined;
}

/** Makes the same responses private. */
export function privateAnswers<Options extends Answers>(options: Options): Options {
  const { lookup, render }: Answers = options;
  const answers: Answers = {
    lookup(address) {
      const found = lookup(address);
      return found instanceof Promise ? found.then(privateCopy) : privateCopy(found);
    },
    async render(request, visitor) {
      const answer = await render(request, visitor);
      const kept = answer.headers.get(CACHE_CONTROL);
      if (kept !== null) answer.headers.set(CACHE_CONTROL, privately(kept));
      return answer;
    },
  };
  return { ...options, ...answers };
}

function privateCopy(page: Found): Found {
  if (!page) return undefined;
  const { identity, gzip, br } = page.encodings;
  return {
    ...page,
    encodings: {
      identity: privateBytes(identity),
      gzip: privateBytes(gzip),
      br: privateBytes(br),
    },
  };
}

function privateBytes({ head, headWithoutContent, ...bytes }: PreparedBytes): PreparedBytes {
  return { ...bytes, head: keptByOne(head), headWithoutContent: keptByOne(headWithoutContent) };
}

function keptByOne(head: readonly string[]): string[] {
  return head.map((text, at) => {
    return head[at - 1]?.toLowerCase() === CACHE_CONTROL ? privately(text) : text;
  });
}

function privately(cacheControl: string): string {
  return cacheControl.replace(/^public\b/, 'private');
}
