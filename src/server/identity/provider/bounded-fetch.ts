import * as oauth from 'oauth4webapi';
import type { Authority } from './provider.ts';

/** How long a foreign server may take to answer, in milliseconds. */
const TIMEOUT_MS = 5_000;
const MAX_BYTES = 256 * 1024;

/** Fetches from a server that is not trusted to be quick or brief, and follows it nowhere else. */
export async function boundedFetch(url: string, init: RequestInit = {}): Promise<Response> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const response = await fetch(url, { ...init, redirect: 'manual', signal });
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > MAX_BYTES) throw new TypeError('The answer is too long');
    chunks.push(chunk);
  }
  const { status, headers } = response;
  const isEmpty = status === 204 || status === 304;
  return new Response(isEmpty ? null : Buffer.concat(chunks), { status, headers });
}

/** Marked as deprecated there so that nobody uses it unawares; on loopback there is no TLS. */
const ALLOW_INSECURE = Reflect.get(oauth, 'allowInsecureRequests') as symbol;

/** How requests to a provider are sent: in plain text only if its own address is. */
export function requestOptions(fetch: Authority['fetch'], issuer: string) {
  return {
    [oauth.customFetch]: (url: string, init: object) => fetch(url, init),
    [ALLOW_INSECURE]: issuer.startsWith('http:'),
  };
}
