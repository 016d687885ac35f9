import { describe, expect, test, vi } from 'vitest';
import { anOperator, dumpOf, execute, testContext } from '#tests/support/board/context.ts';
import { CookieJar } from '#tests/support/pages/browser-cookies.ts';
import { BASE_URL } from '#tests/support/board/builders.ts';
import {
  REDIRECT,
  aCode,
  aLetInApplication,
  aPkce,
  aSignedInBrowser,
  ask,
  authorizePath,
  exchange,
  questionOf,
  register,
  withoutDeadlines,
} from '#tests/support/http/provider.ts';
import { tokenHolder } from '#server/identity/access-tokens.ts';

/** A board on the system clock, which the provider uses. */
function liveContext() {
  const ctx = testContext();
  ctx.clock.nowMs = Date.now();
  return ctx;
}

const refreshWith = (clientId: string, refresh_token = '') => {
  return { grant_type: 'refresh_token', client_id: clientId, refresh_token };
};

/** The provider's response to an authorization that it sends back to the app. */
const sentBack = ({ headers }: { headers: Headers }) => {
  const location = headers.get('location') ?? '';
  const { searchParams } = new URL(location, BASE_URL);
  return { location, error: searchParams.get('error'), iss: searchParams.get('iss') };
};

describe('tokens', () => {
  test('a refresh token that is used twice revokes the whole grant', async () => {
    const ctx = liveContext();
    const ada = anOperator(ctx, 'ada');
    const { clientId, tokens } = await aLetInApplication(ctx, ada);

    const renewed = await exchange(ctx, refreshWith(clientId, tokens['refresh_token']));
    const access = String(renewed.body['access_token']);
    const before = await tokenHolder(ctx, access, 'api');
    const replayed = await exchange(ctx, refreshWith(clientId, tokens['refresh_token']));
    const after = await exchange(ctx, refreshWith(clientId, String(renewed.body['refresh_token'])));

    expect(renewed.body['refresh_token']).not.toBe(tokens['refresh_token']);
    expect(renewed.headers.get('cache-control')).toBe('no-store');
    expect(before).toMatchObject({ operator_id: ada.id, scopes: ['openid', 'offline_access'] });
    expect([replayed.body['error'], after.body['error']]).toEqual([
      'invalid_grant',
      'invalid_grant',
    ]);
    await expect(tokenHolder(ctx, access, 'api')).rejects.toMatchObject({ code: 'token_invalid' });
    expect(ctx.store.applications.ofOperator(ada.id)).toEqual([]);
  });

  test('a code that is used twice revokes the whole grant', async () => {
    const ctx = liveContext();
    const { clientId, tokens, grant } = await aLetInApplication(ctx, anOperator(ctx, 'ada'));
    const again = await exchange(ctx, grant);
    const refreshed = await exchange(ctx, refreshWith(clientId, tokens['refresh_token']));

    expect([again.body['error'], refreshed.body['error']]).toEqual([
      'invalid_grant',
      'invalid_grant',
    ]);
  });

  test('a code that is used twice concurrently revokes the whole grant', async () => {
    const ctx = liveContext();
    const { clientId, grant } = await aCode(ctx, anOperator(ctx, 'ada'));
    const answers = await Promise.all([exchange(ctx, grant), exchange(ctx, grant)]);
    const given = answers.find(({ status }) => status === 200);
    const refreshed = await exchange(
      ctx,
      refreshWith(clientId, String(given?.body['refresh_token'])),
    );

    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
    expect(refreshed.body['error']).toBe('invalid_grant');
  });

  test('are valid for at most 90 days after the app was connected', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    try {
      const ctx = liveContext();
      const { clientId, tokens } = await aLetInApplication(ctx, anOperator(ctx, 'ada'));
      let token = tokens['refresh_token'];
      const statuses = [];
      for (let months = 1; months <= 4; months += 1) {
        vi.advanceTimersByTime(25 * 24 * 60 * 60 * 1000);
        const { status, body } = await exchange(ctx, refreshWith(clientId, token));
        statuses.push(status);
        token = String(body['refresh_token']);
      }

      expect(statuses).toEqual([200, 200, 200, 400]);
    } finally {
      vi.useRealTimers();
    }
  });

  test('are valid for the board or its MCP server, and for nothing else', async () => {
    const ctx = liveContext();
    const ada = anOperator(ctx, 'ada');
    const clientId = await register(ctx);
    const { challenge } = await aPkce();
    const jar = await aSignedInBrowser(ctx, ada);
    const over = { resource: 'https://other.example.org' };
    const refused = await ask(ctx, authorizePath({ clientId, challenge, over }), {}, jar);

    const slash = await aLetInApplication(ctx, ada, { resource: `${BASE_URL}/` });
    const mcp = await aLetInApplication(ctx, ada, { resource: `${BASE_URL}/api/mcp` });

    expect(sentBack(refused)).toMatchObject({ error: 'invalid_target', iss: BASE_URL });
    const holder = { operator_id: ada.id };
    const [forApi = '', forMcp = ''] = [slash, mcp].map(({ tokens }) => tokens['access_token']);
    expect(await tokenHolder(ctx, forApi, 'api')).toMatchObject(holder);
    expect(await tokenHolder(ctx, forMcp, 'mcp')).toMatchObject(holder);
    await expect(tokenHolder(ctx, forMcp, 'api')).rejects.toMatchObject({ code: 'token_invalid' });
  });

  test('leave nothing usable in the database file', async () => {
    const ctx = liveContext();
    const { tokens, grant, jar } = await aLetInApplication(ctx, anOperator(ctx, 'ada'));
    const { challenge } = await aPkce();
    const wish = { clientId: grant.client_id, challenge, over: { prompt: 'login' } };
    const asked = questionOf(await ask(ctx, authorizePath(wish), {}, jar));
    const proof = await ctx.provider.interactions?.finishLogin(asked, 'nobody', ctx.now());
    const secrets = [
      tokens['refresh_token'],
      tokens['access_token'],
      grant.code,
      asked,
      jar.value('provider'),
      proof?.split('proof=')[1],
    ];

    const dump = JSON.stringify(dumpOf(ctx));

    expect(secrets.every((secret) => (secret ?? '').length > 20)).toBe(true);
    expect(secrets.filter((secret) => dump.includes(secret ?? ''))).toEqual([]);
  });

  test('end with the account', async () => {
    const ctx = liveContext();
    const ada = anOperator(ctx, 'ada');
    const { tokens } = await aLetInApplication(ctx, ada);

    const before = JSON.stringify(dumpOf(ctx));
    execute(ctx, `PRAGMA foreign_keys = ON; DELETE FROM operators WHERE id = ${ada.id}`);
    const after = JSON.stringify(dumpOf(ctx));

    expect([before.includes(ada.public_id), after.includes(ada.public_id)]).toEqual([true, false]);
    const holder = tokenHolder(ctx, tokens['access_token'] ?? '', 'api');
    await expect(holder).rejects.toMatchObject({ code: 'token_invalid' });
  });
});

test('unknown clients get a challenge', async () => {
  const { status, headers, body } = await exchange(liveContext(), refreshWith('nobody', 'x'));

  expect([status, body['error']]).toEqual([401, 'invalid_client']);
  expect(headers.get('www-authenticate')).toMatch(/^Basic /);
});

describe('authorizations', () => {
  test.each([
    ['no PKCE', { code_challenge: '', code_challenge_method: '' }, 'invalid_request'],
    ['the verifier itself as challenge', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['a response without asking', { prompt: 'none' }, 'consent_required'],
    ['another response type', { response_type: 'token' }, 'unsupported_response_type'],
    ['a response mode with a script', { response_mode: 'form_post' }, 'unsupported_response_mode'],
  ])('with %s are sent back', async (_, over, error) => {
    const ctx = liveContext();
    // The operator is asked even about an app that is already connected.
    const { clientId, jar } = await aLetInApplication(ctx, anOperator(ctx, 'ada'));
    const { challenge } = await aPkce();

    const told = await ask(ctx, authorizePath({ clientId, challenge, over }), {}, jar);

    expect(sentBack(told).location).toMatch(/^https:\/\/app\.example\.org\/callback[?#]/);
    expect(sentBack(told).location).toContain(`error=${error}`);
  });

  test.each([
    ['an unknown app', { client_id: 'nobody' }],
    ['an unregistered redirect URI', { redirect_uri: `${REDIRECT}/other` }],
    ['metadata on this host', { client_id: 'https://localhost/client.json' }],
    ['metadata at a private address', { client_id: 'https://10.0.0.1/client.json' }],
    ['metadata without TLS', { client_id: 'http://app.example.org/client.json' }],
  ])('of %s end here', async (_, over) => {
    withoutDeadlines();
    const ctx = liveContext();
    const clientId = await register(ctx);
    const { challenge } = await aPkce();

    const told = await ask(ctx, authorizePath({ clientId, challenge, over }));

    expect([told.status, told.headers.get('location')]).toEqual([400, null]);
    expect(told.body['error']).toMatch(/^invalid_(client|redirect_uri)/);
  });

  test('require a sign-in unless a session exists, and again if the app requests it', async () => {
    const ctx = liveContext();
    const ada = anOperator(ctx, 'ada');
    const { clientId, jar } = await aLetInApplication(ctx, ada);
    const { challenge } = await aPkce();
    const question = async (over: Record<string, string>) => {
      const told = await ask(ctx, authorizePath({ clientId, challenge, over }), {}, jar);
      const asked = await ctx.provider.interactions?.read(questionOf(told));
      return [asked?.prompt, asked?.mustAsk];
    };

    expect(await question({})).toEqual(['consent', false]);
    expect(await question({ prompt: 'login' })).toEqual(['login', true]);
    await ctx.sessions.end(jar.header('/'));
    expect(await question({})).toEqual(['login', false]);
  });

  test('continue only with the proof of their own sign-in, and once', async () => {
    const ctx = liveContext();
    const ada = anOperator(ctx, 'ada');
    const { interactions } = ctx.provider;
    const [clientId, { challenge }] = [await register(ctx), await aPkce()];
    const [mine = '', other = ''] = await Promise.all(
      [1, 2].map(async () => questionOf(await ask(ctx, authorizePath({ clientId, challenge })))),
    );
    const signedInAt = ctx.now();
    const proofOf = async (uid: string) => {
      const onward = await interactions?.finishLogin(uid, ada.public_id, signedInAt);
      return onward?.split('proof=')[1] ?? '';
    };
    const proof = await proofOf(mine);
    const expired = { code: 'interaction_expired' };
    await expect(interactions?.redeem(mine, await proofOf(other))).rejects.toMatchObject(expired);
    await expect(interactions?.redeem(mine, '')).rejects.toMatchObject(expired);
    expect(await interactions?.redeem(mine, proof)).toEqual({
      location: `${BASE_URL}/oauth/authorize/${mine}`,
      account: ada.public_id,
      signedInAt,
    });
    await expect(interactions?.redeem(mine, proof)).rejects.toMatchObject(expired);
    const unknown = interactions?.finishLogin('unknown', ada.public_id, signedInAt);
    await expect(unknown).rejects.toMatchObject(expired);
  });
});

describe('questions', () => {
  test("belong to the browser with the provider's signed cookie, not to anyone who knows the address", async () => {
    const ctx = liveContext();
    const clientId = await register(ctx);
    const [mine, other] = [new CookieJar(), new CookieJar()];
    const path = authorizePath({ clientId, challenge: (await aPkce()).challenge });
    const uid = questionOf(await ask(ctx, path, {}, mine));
    const others = questionOf(await ask(ctx, path, {}, other));
    const cookies = mine.header(`/login/interaction/${uid}`);
    const foreign = other.header(`/login/interaction/${others}`).replace(`n=${others}`, `n=${uid}`);

    const isMine = [cookies, `interaction=${uid}`, foreign, null].map((header) => {
      return ctx.provider.interactions?.isOf(uid, header);
    });

    expect(foreign).toContain(`interaction=${uid}; interaction.sig=`);
    expect(isMine).toEqual([true, false, false, false]);
  });

  test("show the app's name from the time of the request, without fetching it again", async () => {
    const ctx = liveContext();
    const clientId = await register(ctx);
    const { challenge } = await aPkce();
    const uid = questionOf(await ask(ctx, authorizePath({ clientId, challenge })));
    execute(ctx, "DELETE FROM oidc_entities WHERE kind = 'Client'");

    expect(await ctx.provider.interactions?.read(uid)).toMatchObject({
      client: { id: clientId, name: 'Helper', redirectHost: 'app.example.org' },
    });
  });
});

describe('cookies', () => {
  test('of a board with TLS use TLS and host-bound cookies only', async () => {
    const baseUrl = 'https://board.example.org';
    const ctx = testContext({ baseUrl });
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: 'web',
      redirect_uri: `${baseUrl}/auth/callback`,
      code_challenge: (await aPkce()).challenge,
      code_challenge_method: 'S256',
    });

    const headers = { Host: 'evil.example', 'X-Forwarded-Host': 'evil.example' };
    const request = new Request(`${baseUrl}/oauth/authorize?${query}`, { headers });
    const answer = await ctx.provider.answer?.(request, 'client');
    const cookies = answer?.headers.getSetCookie() ?? [];
    const metadata = await ctx.provider.authority.server();

    expect(cookies.map((cookie) => cookie.split('=')[0])).toEqual(
      expect.arrayContaining(['__Secure-interaction', '__Secure-interaction_resume']),
    );
    expect(cookies.every((cookie) => /; secure/i.test(cookie) && /; httponly/i.test(cookie))).toBe(
      true,
    );
    expect(metadata.token_endpoint).toBe(`${baseUrl}/oauth/token`);
  });
});

describe('registration', () => {
  test.each([
    ['plain http', ['http://app.example.org/callback'], 'invalid_redirect_uri'],
    ['a scheme of its own', ['myapp://callback'], 'invalid_redirect_uri'],
    ['a script', ['javascript:alert(1)'], 'invalid_redirect_uri'],
    ['user info before the host', ['https://a@app.example.org/'], 'invalid_redirect_uri'],
    ['a fragment', ['https://app.example.org/#x'], 'invalid_redirect_uri'],
    ['none', [], 'invalid_redirect_uri'],
  ])('with %s in the redirect URIs is rejected', async (_, redirect_uris, error) => {
    const { status, body } = await ask(liveContext(), '/oauth/register', {
      method: 'POST',
      body: JSON.stringify({ redirect_uris }),
    });

    expect([status, body['error']]).toEqual([400, error]);
  });

  test('stores only supported metadata, and makes every client public', async () => {
    const { status, body } = await ask(liveContext(), '/oauth/register', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({
        client_name: 'Helper',
        logo_uri: 'https://app.example.org/logo.png',
        redirect_uris: ['http://127.0.0.1/callback'],
        token_endpoint_auth_method: 'client_secret_basic',
      }),
    });

    expect(status).toBe(201);
    expect(body).toMatchObject({ token_endpoint_auth_method: 'none', application_type: 'native' });
    expect(Object.keys(body)).not.toContain('logo_uri');
    expect(Object.keys(body)).not.toContain('client_secret');
  });
});
