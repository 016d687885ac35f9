import type { SessionState } from '#core/contract/sessions.ts';
import { type Access, type PeersAnswer, TIMEOUT_MS, peersAnswerOf } from './answers.ts';

/** Access on the board itself, with its session. */
export function cookieAccess(path: string): Access {
  return { peers, signIn: `/login?${new URLSearchParams({ return_to: path })}` };
}

async function peers(query: URLSearchParams): Promise<PeersAnswer> {
  // Browsers log failed requests on the console, but a signed-out reader is not an error.
  if (!(await isSignedIn())) return { kind: 'signed-out' };
  return peersAnswerOf(get(`/api/v1/peers${query.size > 0 ? `?${query}` : ''}`));
}

/** Returns true if unknown: the request for peers then reports the error. */
async function isSignedIn(): Promise<boolean> {
  try {
    const response = await get('/api/auth/session');
    return !response.ok || ((await response.json()) as SessionState).signedIn;
  } catch {
    return true;
  }
}

function get(address: string): Promise<Response> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  return fetch(address, { headers: { Accept: 'application/json' }, redirect: 'error', signal });
}
