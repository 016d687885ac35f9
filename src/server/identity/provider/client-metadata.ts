/** What the board takes of what an application says of itself when it registers. */
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
 * The metadata that a client is registered with: public, with PKCE, and with nothing that the board
 * would have to fetch or show. What it asked for besides is answered as it stands here.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc7591#section-2 | RFC 7591, section 2}
 */
export function registrable(body: unknown): { metadata: object } | { fault: RegistrationFault } {
  if (!isObject(body)) {
    return refused('invalid_client_metadata', 'The body must be a JSON object');
  }
  const { redirect_uris: uris, client_name: name, grant_types: grants } = body as Metadata;
  if (!isTexts(uris) || uris.length === 0 || uris.length > MAX_REDIRECTS) {
    const detail = `redirect_uris must list 1 to ${MAX_REDIRECTS} addresses`;
    return refused('invalid_redirect_uri', detail);
  }
  if (!uris.every((uri) => uri.length <= MAX_URI && mayReceiveCodes(uri))) {
    const detail = 'redirect_uris must be https, or http on localhost, 127.0.0.1 or [::1]';
    return refused('invalid_redirect_uri', detail);
  }
  if (!uris.every(isCanonicalUrl)) {
    const detail =
      'redirect_uris must be written as browsers write them: no spaces, line breaks or backslashes, host names in lower case, no default port';
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

/** Codes are exchanged by all; who lists what it wants may do without refresh tokens. */
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

/** The longest query of an authorization (2 KiB), and the longest value that is only handed back. */
const MAX_QUERY = 2048;
const MAX_ECHOED = 512;
/** Questions that wait for an answer at once; more than this many people never sign in in half an hour. */
export const MAX_INTERACTIONS = 20_000;
export const MAX_CLIENTS = 20_000;
/** When there are as many, so many are forgotten together: to find them takes a look at every grant. */
export const FORGOTTEN_CLIENTS = 100;

/** Refuses what would fill the disk, as OAuth words it; null if the request may go on. */
export function refusedByBounds({ method, url }: Request, { oidc }: Store): Response | null {
  const { pathname, search, searchParams } = new URL(url);
  const nowS = epochSeconds(new Date());
  if (method === 'GET' && pathname === '/oauth/authorize') {
    const fault = queryFault(search, searchParams) ?? redirectFault(searchParams);
    if (fault !== null) return refusal(400, 'invalid_request', fault);
    if (oidc.count('Interaction', nowS) < MAX_INTERACTIONS) return null;
    return refusal(503, 'temporarily_unavailable', 'Too many sign-ins are under way; try later');
  }
  return null;
}

/**
 * Makes room for another client where there are too many: the oldest are forgotten that nobody
 * authorized and nobody is being asked about. Returns the refusal if there are none.
 */
export function makeRoomForClient({ oidc }: Pick<Store, 'oidc'>): Response | null {
  const nowS = epochSeconds(new Date());
  if (oidc.count('Client', nowS) < MAX_CLIENTS) return null;
  if (oidc.forgetUnusedClients(nowS, FORGOTTEN_CLIENTS) > 0) return null;
  const detail = 'The board knows as many clients as it can; try tomorrow';
  return refusal(503, 'temporarily_unavailable', detail);
}

function queryFault(search: string, query: URLSearchParams): string | null {
  if (search.length > MAX_QUERY) return `The query must have at most ${MAX_QUERY} characters`;
  const long = ['state', 'nonce'].find((name) => (query.get(name) ?? '').length > MAX_ECHOED);
  return long === undefined ? null : `${long} must have at most ${MAX_ECHOED} characters`;
}

/** A browser reads such an address as another one than is written there. */
function redirectFault(query: URLSearchParams): string | null {
  if (!query.getAll('redirect_uri').some(isAmbiguousUrl)) return null;
  return 'redirect_uri must not contain spaces, line breaks, backslashes or control characters';
}

function refusal(status: number, error: string, error_description: string): Response {
  const headers = { 'Cache-Control': 'no-store' };
  return Response.json({ error, error_description }, { status, headers });
}
