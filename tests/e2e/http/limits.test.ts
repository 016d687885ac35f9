/** Limits on the built server. Unit tests cover how they count. */
import { describe, expect, test } from 'vitest';
import { LIMITS } from '#core/contract/limits.ts';
import { anInstallation } from '#tests/support/agent/installation.ts';
import { aBucket, aDevice } from '#tests/support/board/builders.ts';
import { sharedServer } from '#tests/support/http/server.ts';
import {
  aLivePayload,
  anEnrollment,
  enrollOverHttp,
  postSnapshot,
} from '#tests/support/http/wire.ts';

const aServer = sharedServer(() => ({
  env: { RATE_LIMIT_PUBLIC: '8', RATE_LIMIT_WRITES: '5', TRUST_PROXY: 'loopback' },
}));

/** With the default limits, of which those of pages do not come before those of sign-ins. */
const anUnchangedServer = sharedServer(() => ({ env: { TRUST_PROXY: 'loopback' } }));

describe('limits', () => {
  test('of public reads are as configured, and by the forwarded address behind a proxy', async () => {
    const { url } = await aServer();
    const read = async (path: string, address: string) => {
      const headers = { 'X-Forwarded-For': `198.51.100.9, ${address}` };
      return (await fetch(url + path, { headers })).status;
    };

    const paths = ['/api/v1/leaderboard', '/api/v1/leaderboard?q=nobody', '/api/v1/log'];
    const statusesFrom = async (address: (sent: number) => string) => {
      const statuses = [];
      for (let sent = 0; sent < 9; sent += 1) {
        statuses.push(await read(paths[sent % 3] ?? '', address(sent)));
      }
      return statuses;
    };
    const eight = Array<number>(8).fill(200);

    expect(await statusesFrom(() => '203.0.113.1')).toEqual([...eight, 429]);
    expect(await statusesFrom(() => '203.0.113.2')).toEqual([...eight, 429]);
    // A client with one IPv6 address has all addresses of its network.
    expect(await statusesFrom((sent) => `2001:db8::${sent + 1}`)).toEqual([...eight, 429]);
  });

  test('of snapshots are a fifth of those of writes, and forged signatures do not use them up', async () => {
    const server = await aServer();
    const device = await enrollOverHttp(server, await server.signIn('ada'));
    const sealed = await device.seal(aLivePayload(server, [aBucket()]));
    const another = await device.seal(aLivePayload(server, [aBucket()]));
    const [signature] = sealed.signatures;
    const sig = Buffer.alloc(64, 1).toString('base64');
    const forged = { ...sealed, signatures: [{ ...signature, sig }] } as typeof sealed;
    const entries = async (address: string) => {
      const headers = { 'X-Forwarded-For': address };
      const answer = await fetch(`${server.url}/api/v1/log`, { headers });
      return ((await answer.json()) as { total: number }).total;
    };

    const statuses = [];
    for (const envelope of [forged, forged, forged, sealed]) {
      statuses.push((await postSnapshot(server, envelope)).status);
    }
    const before = await entries('203.0.113.11');
    const refused = await postSnapshot(server, another);

    expect(statuses).toEqual([422, 422, 422, 201]);
    expect(refused).toMatchObject({ status: 429, body: { code: 'quota_exceeded' } });
    expect(await entries('203.0.113.12')).toBe(before);
  });

  test('of enrollments apply to each address, and invalid attempts from many addresses do not block a valid code', async () => {
    const server = await anUnchangedServer();
    const body = await anEnrollment(server, await server.signIn('bob'), await aDevice());
    const enrollFrom = async (address: string, body: string) => {
      const headers = { 'Content-Type': 'application/json', 'X-Forwarded-For': address };
      const sent = { method: 'POST', headers, body };
      return (await fetch(`${server.url}/api/v1/devices/enroll`, sent)).status;
    };
    const junk = body.replace(/"code":"[^"]+"/, '"code":"00000-00000-00000"');
    const addresses = ['203.0.113.1', '203.0.113.2', '203.0.113.3'];
    const statuses = [];
    for (const address of addresses) {
      const requests = Array.from({ length: LIMITS.enroll.quota + 1 }, () =>
        enrollFrom(address, junk),
      );
      statuses.push(...(await Promise.all(requests)));
    }

    expect(statuses.filter((status) => status === 429)).toHaveLength(3);
    expect(await enrollFrom('198.51.100.1', body)).toBe(201);
  });

  test('are shown to the person who runs opbench, with the time to wait', async () => {
    const { url } = await aServer();
    const read = () => fetch(`${url}/api/v1/leaderboard`);
    const before = await Promise.all(Array.from({ length: 8 }, read));

    const refused = await anInstallation().run('board', '--board', url);

    expect(before.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(refused.status).toBe(3);
    expect(refused.stderr).toMatch(/quota_exceeded/);
    expect(refused.stderr).toMatch(/Try again in \d+ seconds\./);
  });

  test('of sign-ins are shown on the page', async () => {
    const { url } = await anUnchangedServer();
    const headers = { 'X-Forwarded-For': '203.0.113.61' };
    const body = new URLSearchParams({ token: 'x' });
    const post = () => fetch(`${url}/login/link`, { method: 'POST', headers, body });
    await Promise.all(Array.from({ length: LIMITS.login.quota }, post));

    const refused = await post();

    expect(refused.status).toBe(429);
    expect(refused.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(refused.headers.get('ratelimit-policy')).toBe(`"login";q=${LIMITS.login.quota};w=600`);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(590);
  });

  test('of an operator also apply to forms in the settings', async () => {
    const { url, signIn } = await aServer();
    const headers = { Cookie: await signIn('grace'), 'X-Forwarded-For': '203.0.113.62' };
    const body = new URLSearchParams({ action: 'new-key' });
    const post = async () =>
      (await fetch(`${url}/settings`, { method: 'POST', headers, body })).status;
    const statuses = [];
    for (let sent = 0; sent < 6; sent += 1) statuses.push(await post());

    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  });

  test('of apps that start a sign-in apply to each address', async () => {
    const { url } = await anUnchangedServer();
    const begin = (sent: number) => {
      const headers = { 'X-Forwarded-For': '203.0.113.63' };
      return fetch(`${url}/oauth/authorize?${sent}`, { headers, redirect: 'manual' });
    };
    const { quota } = LIMITS.authorize;
    const before = await Promise.all(Array.from({ length: quota }, (_, sent) => begin(sent)));

    const refused = await begin(quota);

    expect(before.map(({ status }) => status)).not.toContain(429);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await refused.text()).toMatch(/wait \d+/i);
  });
});
