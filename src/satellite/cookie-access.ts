import type { SessionState } from '#core/contract/sessions.ts';
import { type Access, type PeersAnswer, TIMEOUT_MS, peersAnswerOf } from './answers.ts';

/** On the board itself: whoever is signed in there is signed in here. */
export function cookieAccess(path: string): Access {
  return { peers, signIn: `/login?${new URLSearchParams({ return_to: path })}` };
}

async function peers(query: URLSearchParams): Promise<PeersAnswer> {
  // Browsers report a refusal on the console; that nobody is signed in is no fault.
  if (!(await isSignedIn())) return { kind: 'signed-out' };
  return peersAnswerOf(get(`/api/v1/peers${query.size > 0 ? `?${query}` : ''}`));
}

/** Where that cannot be told, the request for peers tells what is wrong. */
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
