import { describe, expect, test } from 'vitest';
import { sharedServer, startServer } from '#tests/support/http/server.ts';
import { Visitor } from '#tests/support/http/visitor.ts';

const isSignedIn = async (url: string, cookie: string) => {
  const answer = await fetch(`${url}/api/auth/session`, { headers: { Cookie: cookie } });
  return ((await answer.json()) as { signedIn: boolean }).signedIn;
};

describe('/login', () => {
  const aServer = sharedServer();

  test('returns through the provider to the original page, and ends the earlier session', async () => {
    const { url, signIn } = await aServer();
    const planted = await signIn('mallory');
    const visitor = new Visitor(url);
    const asked = await visitor.open('/login?return_to=/settings/profile');
    visitor.jar.set('session', planted.replace('session=', ''));

    const page = await visitor.answerByMail(asked, 'ada@example.org');

    expect([page.status, page.url]).toEqual([200, `${url}/settings/profile`]);
    expect(visitor.jar.header('/')).not.toContain(planted);
    expect(await isSignedIn(url, planted)).toBe(false);
    expect(await isSignedIn(url, visitor.jar.header('/'))).toBe(true);
    expect(visitor.jar.value('oauth_tx')).toBeUndefined();
    const places = [];
    for (const wanted of ['/developers', '//evil.example', 'https://evil.example', '/%5Cevil']) {
      places.push((await visitor.open(`/login?return_to=${encodeURIComponent(wanted)}`)).url);
    }
    expect(places).toEqual([`${url}/developers`, ...Array(3).fill(`${url}/settings`)]);
  });

  test('asks again after signing out, although the provider remembers the browser', async () => {
    const { url } = await aServer();
    const visitor = new Visitor(url);
    await visitor.signIn('ada@example.org');

    await visitor.post('/settings', { action: 'sign-out' });
    const asked = await visitor.open('/settings');

    expect(visitor.jar.value('provider')).toBeDefined();
    expect(asked.url).toContain('/login/interaction/');
    // Another person may then sign in with the same browser.
    const page = await visitor.answerByMail(asked, 'bob@example.org');
    expect([page.status, page.url]).toEqual([200, `${url}/settings`]);
  });

  test('completes no sign-in twice, in another browser, or with a response that does not match', async () => {
    const { url } = await aServer();
    const visitor = new Visitor(url);
    const asked = await visitor.open('/login');
    let callback = '';
    const request = visitor.request.bind(visitor);
    visitor.request = async (target, init) => {
      if (!String(target).includes('/auth/callback')) return request(target, init);
      callback = String(target);
      return new Response('held back');
    };
    await visitor.answerByMail(asked, 'ada@example.org');
    const cookies = { Cookie: visitor.jar.header('/') };
    const take = async (address: string, headers: HeadersInit = cookies) => {
      const answer = await fetch(address, { headers, redirect: 'manual' });
      return [answer.status, answer.headers.getSetCookie().some((set) => /^session=\w/.test(set))];
    };
    const refused = [422, false];

    expect(await take(callback, {})).toEqual(refused);
    expect(await take(callback.replace(/state=[^&]+/, 'state=other'))).toEqual(refused);
    expect(await take(callback.replace(/iss=[^&]+/, 'iss=https%3A%2F%2Fevil'))).toEqual(refused);
    expect(await take(callback)).toEqual([303, true]);
    expect(await take(callback)).toEqual(refused);
  });

  test('on a public address without sign-in methods, refers to the admin and the docs', async () => {
    const env = { BASE_URL: 'https://board.example.org', PASSKEYS: 'off' };
    const { url } = await startServer({ env });

    const answer = await fetch(`${url}/login`, { headers: { Host: 'board.example.org' } });
    const text = await answer.text();

    expect(answer.status).toBe(200);
    expect(text).toContain('one-time link');
    expect(text).toContain('href="/docs/run"');
  });
});
