import { describe, expect, test } from 'vitest';
import { aBucket, aDevice } from '../support/board/builders.ts';
import { aDataDir } from '../support/board/context.ts';
import { anInstallation } from '../support/agent/installation.ts';
import { runBuilt } from '../support/http/process.ts';
import { startServer } from '../support/http/server.ts';
import { aLivePayload, anEnrollment, enrollOverHttp, postSnapshot } from '../support/http/wire.ts';

describe('limits', () => {
  test('of public reads are what the keeper set, and by the forwarded address behind a proxy', async () => {
    const { url } = await startServer({ env: { RATE_LIMIT_PUBLIC: '2', TRUST_PROXY: 'loopback' } });
    const read = async (path: string, address: string) => {
      const headers = { 'X-Forwarded-For': `198.51.100.9, ${address}` };
      return (await fetch(url + path, { headers })).status;
    };

    const statuses = [
      await read('/api/v1/leaderboard', '203.0.113.1'),
      await read('/api/v1/leaderboard?q=nobody', '203.0.113.1'),
      await read('/api/v1/log', '203.0.113.1'),
      await read('/api/v1/log', '203.0.113.2'),
      await read('/api/v1/log', '2001:db8::1'),
      await read('/api/v1/log', '2001:db8::2'),
      await read('/api/v1/log', '2001:db8::3'),
    ];

    expect(statuses).toEqual([200, 200, 429, 200, 200, 200, 429]);
  });

  test('of snapshots are a fifth of the writes; what is refused is not stored', async () => {
    const server = await startServer({ env: { RATE_LIMIT_WRITES: '10' } });
    const device = await enrollOverHttp(server, await server.signIn('ada'));
    const send = async () =>
      postSnapshot(server, await device.seal(aLivePayload(server, [aBucket()])));
    const entries = async () => {
      const log = (await (await fetch(`${server.url}/api/v1/log`)).json()) as { total: number };
      return log.total;
    };
    await send();
    await send();
    const before = await entries();

    const refused = await send();

    expect(refused).toMatchObject({ status: 429, body: { code: 'quota_exceeded' } });
    expect(await entries()).toBe(before);
  });

  test('of an operator are used up by nobody without the key', async () => {
    const server = await startServer({ env: { RATE_LIMIT_WRITES: '5' } });
    const device = await enrollOverHttp(server, await server.signIn('ada'));
    const sealed = await device.seal(aLivePayload(server, [aBucket()]));
    const [signature] = sealed.signatures;
    const sig = Buffer.alloc(64, 1).toString('base64');
    const forged = { ...sealed, signatures: [{ ...signature, sig }] } as typeof sealed;

    const statuses = [];
    for (const envelope of [forged, forged, forged, sealed, sealed]) {
      statuses.push((await postSnapshot(server, envelope)).status);
    }

    expect(statuses).toEqual([422, 422, 422, 201, 429]);
  });

  test('of enrollments hold for each address, and junk from many stops no valid code', async () => {
    const server = await startServer({ env: { TRUST_PROXY: 'loopback' } });
    const body = await anEnrollment(server, await server.signIn('ada'), await aDevice());
    const enrollFrom = async (address: string, body: string) => {
      const headers = { 'Content-Type': 'application/json', 'X-Forwarded-For': address };
      const sent = { method: 'POST', headers, body };
      return (await fetch(`${server.url}/api/v1/devices/enroll`, sent)).status;
    };
    const junk = body.replace(/"code":"[^"]+"/, '"code":"00000-00000-00000"');
    const addresses = Array.from({ length: 21 }, (_, at) => `203.0.113.${at + 1}`);
    const statuses = [];
    for (const address of addresses) {
      const requests = Array.from({ length: 21 }, () => enrollFrom(address, junk));
      statuses.push(...(await Promise.all(requests)));
    }

    expect(statuses.filter((status) => status === 429)).toHaveLength(21);
    expect(await enrollFrom('198.51.100.1', body)).toBe(201);
  });

  test('reach the person who runs opbench, with the time to wait', async () => {
    const { url } = await startServer({ env: { RATE_LIMIT_PUBLIC: '1' } });
    const installation = anInstallation();
    const first = await installation.run('board', '--board', url);

    const second = await installation.run('board', '--board', url);

    expect(first.status).toBe(0);
    expect(second.status).toBe(3);
    expect(second.stderr).toMatch(/quota_exceeded/);
    expect(second.stderr).toMatch(/Try again in \d+ seconds\./);
  });

  test('of sign-ins are told on the page that refuses', async () => {
    const { url } = await startServer();
    const body = new URLSearchParams({ token: 'x' });
    const post = () => fetch(`${url}/login/link`, { method: 'POST', body });
    await Promise.all(Array.from({ length: 20 }, post));

    const { status, headers } = await post();

    expect(status).toBe(429);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('ratelimit-policy')).toBe('"login";q=20;w=600');
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(590);
  });

  test('of an operator also hold for the forms in the settings', async () => {
    const { url, signIn } = await startServer({ env: { RATE_LIMIT_WRITES: '1' } });
    const headers = { Cookie: await signIn('ada') };
    const body = new URLSearchParams({ action: 'new-key' });
    const post = () => fetch(`${url}/settings`, { method: 'POST', headers, body });

    expect([(await post()).status, (await post()).status]).toEqual([200, 429]);
  });

  test('that cannot be used stop the start with a message', async () => {
    const env = {
      DATA_DIR: aDataDir(),
      RATE_LIMIT_PUBLIC: '0',
      RATE_LIMIT_WRITES: 'many',
      TRUST_PROXY: 'loopback, proxy.local',
    };

    const { status, stderr } = await runBuilt('server/entry.mjs', [], env);

    expect(status).toBe(1);
    expect(stderr).toContain('RATE_LIMIT_PUBLIC: ');
    expect(stderr).toContain('RATE_LIMIT_WRITES: ');
    expect(stderr).toContain('TRUST_PROXY: "proxy.local" is no address');
  });
});
