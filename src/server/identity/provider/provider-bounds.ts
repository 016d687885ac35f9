/** What the provider takes of strangers: each question and each client that it begins is kept for a while. */
import type { Store } from '#db/store.ts';
import { epochSeconds } from '#core/domain/counting/day.ts';
import { isAmbiguousUrl } from '#core/domain/account/oauth.ts';

/** The longest query of an authorization (2 KiB), and the longest value that is only handed back. */
const MAX_QUERY = 2048;
const MAX_ECHOED = 512;
/** Questions that wait for an answer at once; more than this many people never sign in in half an hour. */
export const MAX_QUESTIONS = 20_000;
/** Registered clients at once. */
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
    if (oidc.count('Interaction', nowS) < MAX_QUESTIONS) return null;
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
