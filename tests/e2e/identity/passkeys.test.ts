import { describe, expect, test } from 'vitest';
import { LIMITS } from '#core/contract/limits.ts';
import { aPasskey } from '#tests/support/http/authenticator.ts';
import { type RunningServer, sharedServer, startServer } from '#tests/support/http/server.ts';
import { Visitor } from '#tests/support/http/visitor.ts';

const BASE_URL = 'https://bench.example.org';
/** The address is HTTPS, as behind a proxy that tests do not need. */
const anHttpsServer = () => ({ env: { BASE_URL, TRUST_PROXY: 'loopback' } });
const from = (address: string) => ({ 'X-Forwarded-For': address });

function post(server: RunningServer, path: string, headers: Record<string, string> = {}) {
  const body = new URLSearchParams({ action: 'passkey-sign-in' });
  const sent = { 'Sec-Fetch-Site': 'same-origin', ...headers };
  return fetch(`${server.url}${path}`, { method: 'POST', body, headers: sent, redirect: 'manual' });
}

describe('requests for passkey options', () => {
  const aServer = sharedServer(anHttpsServer);

  test.each([
    ['/settings/passkey', {}, 401],
    ['/settings/passkey', { Cookie: '__Host-session=unknown' }, 401],
    ['/settings/passkey', { Authorization: 'Bearer unknown' }, 401],
    ['/settings/passkey', { 'Sec-Fetch-Site': 'cross-site' }, 403],
    ['/login/interaction/unknown/passkey', {}, 422],
    ['/login/interaction/unknown/passkey', { 'Sec-Fetch-Site': 'cross-site' }, 403],
  ] as const)('POST %s with %j returns %i and sets no cookie', async (path, headers, status) => {
    const answer = await post(await aServer(), path, headers);

    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([status, null]);
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  test('a session adds passkeys to its own account only', async () => {
    const server = await aServer();
    const headers = { Cookie: await server.signIn('ada'), ...from('192.0.2.1') };

    const answer = await post(server, '/settings/passkey', headers);
    const options = (await answer.json()) as Parameters<ReturnType<typeof aPasskey>['create']>[0];
    const [binding = ''] = answer.headers.get('set-cookie')?.split(';') ?? [];
    const credential = aPasskey(BASE_URL).create(options);
    const finish = async (cookie: string) => {
      const body = new URLSearchParams({ action: 'link-passkey', credential, name: 'Phone' });
      const sent = { 'Sec-Fetch-Site': 'same-origin', Cookie: `${cookie}; ${binding}` };
      const url = `${server.url}/settings/sign-in`;
      return fetch(url, { method: 'POST', body, headers: sent, redirect: 'manual' });
    };
    const stolen = await finish(await server.signIn('mallory'));
    const late = await finish(headers.Cookie);

    expect(options).toMatchObject({ user: { name: 'ada' }, rp: { id: 'bench.example.org' } });
    // The first attempt used the challenge.
    expect([stolen.status, late.status]).toEqual([422, 422]);
    expect(server.log()).not.toContain(options.challenge);
  });

  test('are limited for each address', async () => {
    const server = await aServer();
    const headers = { Cookie: await server.signIn('grace'), ...from('192.0.2.9') };

    const statuses = [];
    for (let at = 0; at <= LIMITS.login.quota; at += 1) {
      statuses.push((await post(server, '/settings/passkey', headers)).status);
    }

    expect(statuses.slice(0, -1).every((status) => status === 200)).toBe(true);
    expect(statuses.at(-1)).toBe(429);
  });
});

describe('the sign-in page', () => {
  test('offers passkeys first with HTTPS, without any other method', async () => {
    const server = await startServer(anHttpsServer());
    const answer = await fetch(`${server.url}/login`, { redirect: 'manual' });

    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toContain(`${BASE_URL}/oauth/authorize?`);
  });

  test.each([
    ['http://bench.example.org', {}, /Passkeys do not work at this board’s address/],
    [BASE_URL, { PASSKEYS: 'off' }, /one-time link from its admin/],
  ])('explains at %s with %j how to sign in', async (baseUrl, env, says) => {
    const server = await startServer({ env: { BASE_URL: baseUrl, ...env } });
    const { status, text } = await new Visitor(server.url).open('/login');
    const headers = { Cookie: await server.signIn('ada') };
    const options = await post(server, '/settings/passkey', headers);

    expect(status).toBe(200);
    expect(text).toMatch(says);
    expect(text).not.toContain('data-passkey');
    expect(options.status).toBe(404);
  });
});
