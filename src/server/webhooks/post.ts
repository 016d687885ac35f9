import { lookup } from 'node:dns/promises';
import { type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { type BlockList, isIP } from 'node:net';
import { isPublicAddress, lookupAmong } from '#server/process/public-address.ts';

/** How long a receiver may take. */
export const TIMEOUT_MS = 15_000;

/** How much of a response is read, and ignored, before the connection is closed. */
const MAX_BYTES = 64 * 1024;

export interface PostRequest {
  url: URL;
  headers: Readonly<Record<string, string>>;
  body: string;
}

export interface PostOptions {
  /** The private networks that may be contacted; null for none. */
  networks: BlockList | null;
  /** Ends the request. */
  signal?: AbortSignal;
  timeoutMs?: number;
}

/** The status of the response, or why there is none. */
export type PostResult = { status: number; retryAfter: string | null } | { failure: string };

/**
 * Sends a request to an address that an admin entered. It resolves the name once, checks every address, and connects
 * to one of them. It does not follow redirects, and ignores the body of the response.
 */
export async function post(request: PostRequest, options: PostOptions): Promise<PostResult> {
  const timeout = AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS);
  const signal = options.signal ? AbortSignal.any([options.signal, timeout]) : timeout;
  try {
    const addresses = await orAborted(addressesOf(request.url), signal);
    const isAllowed = (address: string) => mayContact(request.url, address, options.networks);
    if (!addresses.every(isAllowed)) return { failure: 'address not allowed' };
    const response = await send(request, addresses, signal);
    discard(response);
    const { statusCode: status = 0, headers } = response;
    return { status, retryAfter: headers['retry-after'] ?? null };
  } catch (error) {
    if (timeout.aborted) return { failure: 'timed out' };
    return { failure: (error as NodeJS.ErrnoException).code ?? 'failed' };
  }
}

/** Without encryption, only private networks may be contacted. */
export function mayContact({ protocol }: URL, address: string, networks: BlockList | null) {
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
  if (networks?.check(address, family)) return true;
  return protocol === 'https:' && isPublicAddress(address);
}

async function addressesOf({ hostname }: URL): Promise<string[]> {
  const literal = hostname.replaceAll(/^\[|\]$/g, '');
  if (isIP(literal) !== 0) return [literal];
  return (await lookup(hostname, { all: true })).map(({ address }) => address);
}

/** A name is resolved by the system, which cannot be interrupted. */
function orAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

function send(
  { url, headers, body }: PostRequest,
  addresses: readonly string[],
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  const options: RequestOptions = {
    method: 'POST',
    agent: false,
    headers: { ...headers, 'Content-Length': Buffer.byteLength(body) },
    lookup: lookupAmong(addresses),
    signal,
  };
  return new Promise((resolve, reject) => {
    request(url, options, resolve).on('error', reject).end(body);
  });
}

/** Lets the receiver finish a short response, so that it does not see an aborted request. */
function discard(response: IncomingMessage): void {
  let bytes = 0;
  response.on('error', () => undefined);
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) response.destroy();
  });
}
