import { Resolver } from 'node:dns/promises';
import type { IncomingMessage } from 'node:http';
import { type RequestOptions, request } from 'node:https';
import { isIP } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { isPublicAddress, lookupAmong } from '#server/process/public-address.ts';

/** How long every failure takes, in milliseconds. A later response is a failure too. */
export const DEADLINE_MS = 2_500;

const MAX_BYTES = 64 * 1024;

export interface PublicFetchParts {
  resolve: (hostname: string) => Promise<string[]>;
  isPublic: (address: string) => boolean;
  request: typeof request;
  nowMs: () => number;
  wait: (ms: number) => Promise<unknown>;
}

const PARTS: PublicFetchParts = {
  resolve,
  isPublic: isPublicAddress,
  request,
  nowMs: () => performance.now(),
  wait: (ms) => setTimeout(ms, undefined, { ref: false }),
};

/**
 * Creates a fetch for URLs from untrusted sources. It connects only to port 443 of public addresses. It
 * resolves the name once, checks every address before it sends anything, and connects to one of them. It does
 * not follow redirects. Every failure takes {@linkcode DEADLINE_MS}, so that timing does not reveal whether a
 * name exists, an address is private, or a port is open.
 */
export function createPublicFetch(over: Partial<PublicFetchParts> = {}) {
  const parts = { ...PARTS, ...over };
  return async (address: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const startedMs = parts.nowMs();
    const ended = new AbortController();
    try {
      const url = new URL(address instanceof Request ? address.url : address);
      const late = parts
        .wait(DEADLINE_MS)
        .then(() => failure('The server did not respond in time'));
      late.catch(() => undefined);
      return await Promise.race([answerOf(parts, url, init, ended.signal), late]);
    } catch (error) {
      ended.abort();
      await parts.wait(Math.max(0, DEADLINE_MS - (parts.nowMs() - startedMs)));
      throw error;
    }
  };
}

async function answerOf(
  parts: PublicFetchParts,
  url: URL,
  { headers }: RequestInit,
  signal: AbortSignal,
): Promise<Response> {
  if (url.protocol !== 'https:' || url.port !== '') failure('The URL must use https on port 443');
  const addresses = await addressesOf(parts, url.hostname);
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const options: RequestOptions = {
      agent: false,
      headers: Object.fromEntries(new Headers(headers)),
      lookup: lookupAmong(addresses),
      signal,
    };
    parts.request(url, options, resolve).on('error', reject).end();
  });
  if (answer.statusCode !== 200) {
    answer.destroy();
    failure(`The server answered ${answer.statusCode}`);
  }
  const body = await readShort(answer);
  return new Response(body, { status: 200, headers: textHeaders(answer) });
}

async function addressesOf({ resolve, isPublic }: PublicFetchParts, hostname: string) {
  const literal = hostname.replace(/^\[|\]$/g, '');
  const addresses = isIP(literal) === 0 ? await resolve(hostname) : [literal];
  if (addresses.length === 0 || !addresses.every(isPublic)) failure('The address is not public');
  return addresses;
}

async function readShort(answer: IncomingMessage): Promise<Buffer<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of answer) {
    const bytes = chunk as Buffer;
    length += bytes.length;
    if (length > MAX_BYTES) failure('The response is too large');
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

/** The headers for the content type and caching. */
function textHeaders({ headers }: IncomingMessage): Headers {
  const kept = new Headers();
  for (const name of ['cache-control', 'content-type', 'expires']) {
    const value = headers[name];
    if (typeof value === 'string') kept.set(name, value);
  }
  return kept;
}

async function resolve(hostname: string): Promise<string[]> {
  const resolver = new Resolver({ timeout: DEADLINE_MS, tries: 1 });
  const none = () => [];
  const answers = [resolver.resolve4(hostname), resolver.resolve6(hostname)];
  return (await Promise.all(answers.map((answer) => answer.catch(none)))).flat();
}

function failure(message: string): never {
  throw new TypeError(message);
}
