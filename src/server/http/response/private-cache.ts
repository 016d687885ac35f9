/**
 * Answers that only who asked may keep: a page that Accept made Markdown at its own address, and whatever an API
 * key was sent for. Caches that many share tell answers apart by address, and not all of them by Vary: one that
 * kept these would give browsers Markdown, and everybody what a key allows.
 */
import type { IncomingMessage } from 'node:http';
import type { PreparedResponse, PreparedBytes } from './prepared-response.ts';
import type { HttpLayerOptions } from '../http-layer.ts';

type Answers = Pick<HttpLayerOptions, 'lookup' | 'render'>;

const CACHE_CONTROL = 'cache-control';

/** Whether no shared cache may keep what is answered, although everybody may read it. */
export function isForOne({ headers }: IncomingMessage, isChosen: boolean): boolean {
  return isChosen || headers['x-api-key'] !== undefined;
}

/** The same answers, of which no shared cache keeps a copy. */
export function privateAnswers<Options extends Answers>(options: Options): Options {
  const { lookup, render }: Answers = options;
  const answers: Answers = {
    lookup(address) {
      const found = lookup(address);
      return found instanceof Promise ? found.then(privateCopy) : found && privateCopy(found);
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

function privateCopy(page: PreparedResponse): PreparedResponse {
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
