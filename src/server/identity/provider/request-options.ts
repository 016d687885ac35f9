import * as oauth from 'oauth4webapi';
import type { Authority } from './provider.ts';

/** Marked as deprecated there so that nobody uses it unawares; on loopback there is no TLS. */
const ALLOW_INSECURE = Reflect.get(oauth, 'allowInsecureRequests') as symbol;

/** How requests to a provider are sent: in plain text only if its own address is. */
export function requestOptions(fetch: Authority['fetch'], issuer: string) {
  return {
    [oauth.customFetch]: (url: string, init: object) => fetch(url, init),
    [ALLOW_INSECURE]: issuer.startsWith('http:'),
  };
}
