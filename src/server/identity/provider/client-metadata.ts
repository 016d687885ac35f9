/** Checks the metadata that OAuth clients register with. */
import type { Store } from '#db/store.ts';
import { epochSeconds } from '#core/domain/counting/day.ts';
import {
  isAmbiguousUrl,
  isCanonicalUrl,
  isLoopbackUrl,
  mayReceiveCodes,
} from '#core/domain/account/oauth.ts';

const MAX_REDIRECTS = 5;
const MAX_URI = 500;
const MAX_NAME = 100;

interface RegistrationFault {
  error: 'invalid_client_metadata' | 'invalid_redirect_uri';
  error_description: string;
}

/**
 * The metadata that a client is registered with: a public client with PKCE, and nothing that the board
 * would have to fetch or display. Other values in the request are ignored.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc7591#section-2 | RFC 7591, section 2}
 */
export function registrable(body: unknown): { metadata: object } | { fault: RegistrationFault } {
  if (!isObject(body)) {
    return refused('invalid_client_metadata', 'The body must be a JSON object');
  }
  const { redirect_uris: uris, client_name: name, grant_types: grants } = body as Metadata;
  if (!isTexts(uris) || uris.length === 0 || uris.length > MAX_REDIRECTS) {
    const detail = `redirect_uris must list 1 to ${MAX_REDIRECTS} URLs`;
    return refused('invalid_redirect_uri', detail);
  }
  if (!uris.every((uri) => uri.length <= MAX_URI && mayReceiveCodes(uri))) {
    const detail = 'redirect_uris must use https, or http on localhost, 127.0.0.1 or [::1]';
    return refused('invalid_redirect_uri', detail);
  }
  if (!uris.every(isCanonicalUrl)) {
    const detail =
      'redirect_uris must be normalized URLs: no spaces, line breaks or backslashes, host names in lower case, no default port';
    return refused('invalid_redirect_uri', detail);
  }
  return {
    metadata: {
      redirect_uris: uris,
      ...(typeof name === 'string' && name !== '' && { client_name: name.slice(0, MAX_NAME) }),
      grant_types: grantsOf(grants),
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      application_type: uris.some(isLoopbackUrl) ? 'native' : 'web',
    },
  };
}

type Metadata = Partial<Record<'client_name' | 'grant_types' | 'redirect_uris', unknown>>;

/** Every client can exchange codes. A client that lists its grant types gets refresh tokens only if it lists `refresh_token`. */
function grantsOf(grants: unknown): string[] {
  const wantsRefresh = !isTexts(grants) || grants.includes('refresh_token');
  return ['authorization_code', ...(wantsRefresh ? ['refresh_token'] : [])];
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

function refused(error: RegistrationFault['error'], error_description: string) {
  return { fault: { error, error_description } };
}

/** The longest query of an authorization request (2 KiB), and the longest `state` or `nonce`. */
const MAX_QUERY = 2048;
const MAX_ECHOED = 512;
/** The most interactions that can be open at once. An interaction is open for at most 30 minutes. */
export const MAX_INTERACTIONS = 20_000;
export const MAX_CLIENTS = 20_000;
/** How many clients are removed at once when there are too many, because finding them scans every grant. */
export const FORGOTTEN_CLIENTS = 100;

/** Rejects requests that could fill the disk, in the OAuth error format; null if the request is acceptable. */
export function refusedByBounds({ method, url }: Request, { oidc }: Store): Response | null {
  const { pathname, search, searchParams } = new URL(url);
  const nowS = epochSeconds(new Date());
  if (method === 'GET' && pathname === '/oauth/authorize') {
    const fault = queryFault(search, searchParams) ?? redirectFault(searchParams);
    if (fault !== null) return refusal(400, 'invalid_request', fault);
    if (oidc.count('Interaction', nowS) < MAX_INTERACTIONS) return null;
    return refusal(
      503,
      'temporarily_unavailable',
      'Too many sign-ins are in progress. Try again in a few minutes',
    );
  }
  return null;
}

/**
 * Makes room for another client if there are too many, by removing the oldest that have no grant and no
 * open interaction. Returns an error response if there are none to remove.
 */
export function makeRoomForClient({ oidc }: Pick<Store, 'oidc'>): Response | null {
  const nowS = epochSeconds(new Date());
  if (oidc.count('Client', nowS) < MAX_CLIENTS) return null;
  if (oidc.forgetUnusedClients(nowS, FORGOTTEN_CLIENTS) > 0) return null;
  const detail = 'Too many clients are registered. Try again tomorrow';
  return refusal(503, 'temporarily_unavailable', detail);
}

function queryFault(search: string, query: URLSearchParams): string | null {
  if (search.length > MAX_QUERY) return `The query must have at most ${MAX_QUERY} characters`;
  const long = ['state', 'nonce'].find((name) => (query.get(name) ?? '').length > MAX_ECHOED);
  return long === undefined ? null : `${long} must have at most ${MAX_ECHOED} characters`;
}

/** Rejects redirect addresses that a browser may interpret as a different address. */
function redirectFault(query: URLSearchParams): string | null {
  if (!query.getAll('redirect_uri').some(isAmbiguousUrl)) return null;
  return 'redirect_uri must not contain spaces, line breaks, backslashes or control characters';
}

function refusal(status: number, error: string, error_description: string): Response {
  const headers = { 'Cache-Control': 'no-store' };
  return Response.json({ error, error_description }, { status, headers });
}
