import * as oauth from 'oauth4webapi';
import type { Authority } from './provider.ts';

/** How long another server may take to answer, in milliseconds. */
const TIMEOUT_MS = 5_000;
const MAX_BYTES = 256 * 1024;

/** Fetches from a server that may be slow or send too much. Does not follow redirects. */
export async function boundedFetch(
  url: string,
  init: RequestInit = {},
  timeoutMs = TIMEOUT_MS,
): Promise<Response> {
  const signal = AbortSignal.timeout(timeoutMs);
  const response = await fetch(url, { ...init, redirect: 'manual', signal });
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > MAX_BYTES) throw new TypeError('The response is too large');
    chunks.push(chunk);
  }
  const { status, headers } = response;
  const isEmpty = status === 204 || status === 304;
  return new Response(isEmpty ? null : Buffer.concat(chunks), { status, headers });
}

/** The library marks this option as deprecated to discourage its use, but loopback addresses have no TLS. */
const ALLOW_INSECURE = Reflect.get(oauth, 'allowInsecureRequests') as symbol;

/** Request options for a provider. Plain HTTP is allowed only if its own address uses it. */
export function requestOptions(fetch: Authority['fetch'], issuer: string) {
  return {
    [oauth.customFetch]: (url: string, init: object) => fetch(url, init),
    [ALLOW_INSECURE]: issuer.startsWith('http:'),
  };
}
