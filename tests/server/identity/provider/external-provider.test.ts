import { type OAuth2Server, OAuth2Server as MockServer } from 'oauth2-mock-server';
import { describe, expect, onTestFinished, test } from 'vitest';
import { DAY_MS } from '#core/domain/counting/day.ts';
import { returnFromProvider, visitProvider } from '#server/identity/sign-in/provider-sign-in.ts';
import { sessionCaller } from '#server/http/request/caller.ts';
import {
  readAuthorizationServer,
  readOpenidConfiguration,
} from '#server/identity/provider/oauth-metadata.ts';
import { tokenHolder } from '#server/identity/access-tokens.ts';
import { BASE_URL } from '#tests/support/board/builders.ts';
import { CookieJar } from '#tests/support/pages/browser-cookies.ts';
import { type TestContext, dumpOf, testContext } from '#tests/support/board/context.ts';

/** A board with an external provider, which runs on loopback. */
async function aBoardElsewhere({ audience, path = '' }: { audience?: string; path?: string } = {}) {
  const wellKnownDocument = `${path.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const server = new MockServer(undefined, undefined, { endpoints: { wellKnownDocument } });
  await server.issuer.keys.generate('RS256');
  await server.start(0, 'localhost');
  onTestFinished(() => server.stop());
  const url = `${server.issuer.url ?? ''}${path}`;
  server.issuer.url = url;
  const { signIn } = testContext().config;
  const authority = {
    url,
    clientId: 'board',
    clientSecret: 'a secret: with/odd+characters%',
    audience: audience ?? null,
    accessTokenTyp: 'at+jwt',
  };
  const ctx = testContext({ signIn: { ...signIn, authority } });
  ctx.clock.nowMs = Date.now();
  return { ctx, server, url };
}

const browser = (jar: CookieJar) => ({ cookieHeader: jar.header('/'), userAgent: null });

const keep = (jar: CookieJar, cookies: readonly string[]) => {
  const headers = new Headers();
  cookies.forEach((cookie) => headers.append('Set-Cookie', cookie));
  jar.keep(headers);
};

/** Visits the provider and returns with its response. */
async function away(ctx: TestContext, jar: CookieJar): Promise<URL> {
  const left = await visitProvider(ctx, '/settings');
  keep(jar, left.cookies);
  const answer = await fetch(left.location, { redirect: 'manual' });
  return new URL(answer.headers.get('location') ?? '');
}

async function signIn(ctx: TestContext): Promise<CookieJar> {
  const jar = new CookieJar();
  const back = await away(ctx, jar);
  keep(jar, (await returnFromProvider(ctx, back, browser(jar))).cookies);
  return jar;
}

const callerOf = async (ctx: TestContext, jar: CookieJar) => {
  const request = new Request(BASE_URL, { headers: { Cookie: jar.header('/') } });
  return (await sessionCaller(ctx, request))?.caller.operator_id;
};

/** An access token of the provider for this board. */
const accessToken = (server: OAuth2Server, over: object = {}, typ = 'at+jwt') =>
  server.issuer.buildToken({
    scopesOrTransform: (header, payload) => {
      Object.assign(header, { typ });
      Object.assign(payload, { sub: 'johndoe', aud: BASE_URL, scope: 'openid', ...over });
    },
  });

describe('an external provider', () => {
  test('signs operators in, each with a separate account', async () => {
    const { ctx, server } = await aBoardElsewhere();

    const first = await signIn(ctx);
    const again = await signIn(ctx);
    server.service.on('beforeTokenSigning', ({ payload }) => {
      Object.assign(payload, { sub: 'jane' });
    });
    const other = await signIn(ctx);

    expect(await callerOf(ctx, first)).toBe(1);
    expect(await callerOf(ctx, again)).toBe(1);
    expect(await callerOf(ctx, other)).toBe(2);
    expect(ctx.store.operators.byId(1)?.codename_confirmed).toBe(0);
    expect(JSON.stringify(dumpOf(ctx))).not.toContain('johndoe');
  });

  test('is identified by its issuer, which may end with a slash or have a path', async () => {
    const slash = await aBoardElsewhere({ path: '/' });
    const path = await aBoardElsewhere({ path: '/realms/board' });

    expect(await callerOf(slash.ctx, await signIn(slash.ctx))).toBe(1);
    expect(await tokenHolder(slash.ctx, await accessToken(slash.server), 'api')).toMatchObject({
      operator_id: 1,
    });
    expect(await path.ctx.provider.authority.server()).toMatchObject({ issuer: path.url });
  });

  test('that is not configured by its exact issuer signs no one in, and the error is logged', async () => {
    const { ctx, server, url } = await aBoardElsewhere();
    server.issuer.url = `${url}/`;

    await expect(visitProvider(ctx, '/')).rejects.toMatchObject({ code: 'method_unavailable' });
    expect(String(ctx.errors[0])).toMatch(`AUTH_URL must be exactly "${url}/"`);
  });

  test('is the label of an account without a name', async () => {
    const { ctx, url } = await aBoardElsewhere();
    await signIn(ctx);

    expect(ctx.store.identities.ofOperator(1)).toMatchObject([{ label: new URL(url).host }]);
  });

  test.each<[string, (payload: object) => object]>([
    ['for another client', () => ({ aud: 'another' })],
    ['with another nonce', () => ({ nonce: 'another' })],
    ['of another issuer', () => ({ iss: 'https://other.example.org' })],
    ['that expired', () => ({ exp: Math.floor(Date.now() / 1000) - 60 })],
  ])('rejects an ID token %s', async (_, change) => {
    const { ctx, server } = await aBoardElsewhere();
    server.service.on('beforeTokenSigning', ({ payload }) => {
      Object.assign(payload, change(payload));
    });

    await expect(signIn(ctx)).rejects.toMatchObject({ code: 'sign_in_failed' });
    expect(ctx.store.operators.byId(1)).toBeUndefined();
  });

  test('rejects an ID token that was signed with another key', async () => {
    const { ctx, server } = await aBoardElsewhere();
    const jar = new CookieJar();
    const back = await away(ctx, jar);
    await ctx.provider.tokens.keys();
    server.service.once('beforeResponse', ({ body }) => {
      const parts = String((body as { id_token?: string }).id_token).split('.');
      const forged = parts.with(2, Buffer.alloc(256).toString('base64url')).join('.');
      Object.assign(body as object, { id_token: forged });
    });

    const returned = returnFromProvider(ctx, back, browser(jar));

    await expect(returned).rejects.toMatchObject({ code: 'sign_in_failed' });
  });

  test('ends a session within a day after the grant is revoked, but not if it does not respond', async () => {
    const { ctx, server } = await aBoardElsewhere();
    const jar = await signIn(ctx);
    const dump = JSON.stringify(dumpOf(ctx));
    const answers: ((response: { body: unknown; statusCode: number }) => void)[] = [
      (response) => Object.assign(response, { statusCode: 500, body: {} }),
      () => undefined,
      (response) => Object.assign(response, { statusCode: 400, body: { error: 'invalid_grant' } }),
    ];
    server.service.on('beforeResponse', (response) => answers.shift()?.(response));
    const callers = [];
    for (const days of [0, 1, 1, 0, 1, 0]) {
      ctx.clock.nowMs += days * DAY_MS;
      callers.push(await callerOf(ctx, jar));
    }

    expect(dump).toContain('"refresh_token"');
    expect(callers).toEqual([1, 1, 1, 1, undefined, undefined]);
    expect(answers).toEqual([]);
  });

  test('issues access tokens for operators who have signed in here', async () => {
    const { ctx, server } = await aBoardElsewhere();
    const holder = async (token: string) =>
      tokenHolder(ctx, token, 'api').catch(({ code }: { code: string }) => code);
    const stranger = await holder(await accessToken(server));
    await signIn(ctx);

    expect(stranger).toBe('token_invalid');
    expect(await holder(await accessToken(server))).toMatchObject({
      operator_id: 1,
      scopes: ['openid'],
    });
    expect(await holder(await accessToken(server, { aud: 'other' }))).toBe('token_invalid');
    expect(await holder(await accessToken(server, {}, 'JWT'))).toBe('token_invalid');
    expect(await holder(await accessToken(server, { scope: '' }))).toBe('insufficient_scope');
  });

  test('is described at the address of the board, whose embedded provider is off', async () => {
    const { ctx, server, url } = await aBoardElsewhere();

    expect(await readAuthorizationServer(ctx)).toMatchObject({ issuer: url });
    await expect(readOpenidConfiguration(ctx)).rejects.toMatchObject({ code: 'not_found' });
    expect([ctx.provider.answer, ctx.provider.interactions]).toEqual([null, null]);
    await server.stop();
    ctx.clock.nowMs += DAY_MS;
    await expect(visitProvider(ctx, '/')).rejects.toMatchObject({ code: 'method_unavailable' });
    await server.start(0, 'localhost');
  });
});
