/** Preloaded into a command: a clock that is set by a file, and a network as the environment says. */
import { createRequire, syncBuiltinESMExports } from 'node:module';
import '../http/set-clock.mjs';

const { SIMULATED_NETWORK } = process.env;
const reach = globalThis.fetch;

/** No board can be reached, and nobody waits for one. */
function beOffline() {
  const timers = createRequire(import.meta.url)('node:timers/promises');
  timers.setTimeout = async () => undefined;
  syncBuiltinESMExports();
  const cause = Object.assign(new Error('there is no network'), { code: 'ENOTFOUND' });
  globalThis.fetch = () => Promise.reject(new TypeError('fetch failed', { cause }));
}

/** Where boards give a device the key of its account's fingerprints. */
const KEY_GIVEN = ['/api/v1/me', '/api/v1/devices/enroll'];

/** Boards answer as they did in version 0.9: without keys of fingerprints, counts and known devices. */
async function asBefore(url, init) {
  const { pathname } = new URL(url);
  if (pathname.endsWith('/devices/known') || pathname === '/api/v1/counts') {
    const problem = { status: 404, code: 'not_found', detail: 'There is nothing here' };
    const headers = { 'Content-Type': 'application/problem+json' };
    return Response.json(problem, { status: 404, headers });
  }
  const answer = await reach(url, init);
  if (!KEY_GIVEN.includes(pathname) || !answer.ok) return answer;
  const now = await answer.json();
  const before = { ...now, fingerprint_key: undefined, withdrawn: undefined };
  return Response.json(before, {
    status: answer.status,
    headers: { date: answer.headers.get('date') },
  });
}

if (SIMULATED_NETWORK === 'none') beOffline();
if (SIMULATED_NETWORK === 'before') globalThis.fetch = asBefore;
