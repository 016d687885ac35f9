/** The network of a device in a simulation. */
import { Client, type Fetch } from '#agent/board/client.ts';
import type { LocalDevice } from '#agent/device.ts';

/** `before`: boards respond like version 0.9. */
export type Network = 'before' | 'none' | 'whole';

/** Connects a device to a network. */
export function reachedBy(network: Network): (device: LocalDevice) => LocalDevice {
  if (network === 'whole') return (device) => device;
  return (device) => ({
    ...device,
    client: new Client(network === 'none' ? unreachable : asBefore, device.nowMs),
    // Retries do not wait for an unreachable board.
    wait: network === 'none' ? async () => undefined : device.wait,
  });
}

const unreachable: Fetch = () => {
  const cause = Object.assign(new Error('there is no network'), { code: 'ENOTFOUND' });
  return Promise.reject(new TypeError('fetch failed', { cause }));
};

/** The requests with which boards send the account's key for fingerprints. */
const KEY_GIVEN = ['/api/v1/me', '/api/v1/devices/enroll'];

/** Without keys for fingerprints, counts and known devices. */
async function asBefore(url: string, init: RequestInit): Promise<Response> {
  const { pathname } = new URL(url);
  if (pathname.endsWith('/devices/known') || pathname === '/api/v1/counts') {
    const problem = { status: 404, code: 'not_found', detail: 'There is nothing here' };
    const headers = { 'Content-Type': 'application/problem+json' };
    return Response.json(problem, { status: 404, headers });
  }
  const answer = await fetch(url, init);
  if (!KEY_GIVEN.includes(pathname) || !answer.ok) return answer;
  const now = (await answer.json()) as object;
  const before = { ...now, fingerprint_key: undefined, withdrawn: undefined };
  const { status, headers } = answer;
  return Response.json(before, { status, headers: { date: headers.get('date') ?? '' } });
}
