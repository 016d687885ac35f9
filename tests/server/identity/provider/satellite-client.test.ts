/** The external companion site as a client of the board's own provider. */
import { describe, expect, test, vi } from 'vitest';
import { getPeers } from '#core/contract/peers.ts';
import { CREDENTIALS } from '#core/contract/route.ts';
import { ROUTES } from '#core/contract/routes.ts';
import { BASE_URL } from '#tests/support/board/builders.ts';
import { type TestContext, anOperator, testContext } from '#tests/support/board/context.ts';
import { bearer, modern, modernHeaders, post } from '#tests/support/mcp/mcp-board.ts';
import {
  aLetInApplication,
  aPkce,
  aSignedInBrowser,
  answerConsent,
  ask,
  authorizePath,
  exchange,
  questionOf,
  register,
} from '#tests/support/http/provider.ts';
import { SATELLITE, SITE } from '#tests/support/pages/satellite.ts';
import { answerConsent as answerOnPage } from '#server/identity/provider/consent-request.ts';
import { tokenCaller } from '#server/http/request/caller.ts';
import {
  revokeApplication,
  readApplications,
} from '#server/identity/provider/revoke-application.ts';
import { tokenHolder } from '#server/identity/access-tokens.ts';

function aBoard(satellite: typeof SATELLITE | null = SATELLITE): TestContext {
  const ctx = testContext({ agents: { mcpOrigins: [], satellite } });
  ctx.clock.nowMs = Date.now();
  return ctx;
}

const wish = (challenge: string, over = {}) =>
  authorizePath({ clientId: 'satellite', challenge, over: { redirect_uri: SITE, ...over } });

/** The operations that apps can call for their operators. */
const OF_APPLICATIONS = Object.values(ROUTES).filter(({ auth }) =>
  CREDENTIALS[auth].includes('bearer'),
);

/** The operations among these that accept the companion site's token. */
async function servedBy(ctx: TestContext, token: string = ''): Promise<string[]> {
  const asked = OF_APPLICATIONS.map(async ({ id, path, method, auth }) => {
    const request = new Request(BASE_URL + path, { method, headers: bearer(token) });
    return tokenCaller(ctx, request, CREDENTIALS[auth]).then(
      () => [id],
      (error: { code: string }) => (error.code === 'credential_unsuitable' ? [] : [error.code]),
    );
  });
  return (await Promise.all(asked)).flat();
}

/** Ada connects the site; returns its tokens. */
async function letIn(ctx: TestContext, over = {}) {
  const ada = ctx.store.operators.byCodename('ada') ?? anOperator(ctx, 'ada');
  const jar = await aSignedInBrowser(ctx, ada);
  const { verifier, challenge } = await aPkce();
  const path = wish(challenge, { scope: 'openid', ...over });
  const back = await answerConsent(ctx, { jar, operator: ada, path });
  const { body } = await exchange(ctx, {
    grant_type: 'authorization_code',
    client_id: 'satellite',
    redirect_uri: SITE,
    code: back.searchParams.get('code') ?? '',
    code_verifier: verifier,
  });
  return { ada, jar, back, tokens: body as Record<string, string> };
}

describe('the external companion site', () => {
  test('needs no registration, and is presented as configured by the admin', async () => {
    const ctx = aBoard();
    const ada = anOperator(ctx, 'ada');
    const jar = await aSignedInBrowser(ctx, ada);
    const { challenge } = await aPkce();

    const told = await ask(ctx, wish(challenge, { scope: 'openid' }), {}, jar);
    const question = await ctx.provider.interactions?.read(questionOf(told));
    const posing = await register(ctx, { client_name: 'Test board companion site' });
    const posed = await ask(ctx, authorizePath({ clientId: posing, challenge }), {}, jar);
    const other = await ctx.provider.interactions?.read(questionOf(posed));

    expect(question?.client).toEqual({
      id: 'satellite',
      name: 'Test board companion site',
      redirectHost: 'peers.example.org',
      isOwn: false,
      isKept: true,
      isLocal: false,
    });
    expect(other?.client).toMatchObject({ name: 'Test board companion site', isKept: false });
  });

  test.each([
    'https://peers.example.org/of/us',
    'https://peers.example.org/of/us/?a=b',
    'https://peers.example.org/of/us/index.html',
    'https://peers.example.org:8443/of/us/',
    'http://peers.example.org/of/us/',
    'https://evil.example/of/us/',
  ])('redirects only to its own address, not to %s', async (redirect_uri) => {
    const { challenge } = await aPkce();

    const told = await ask(aBoard(), wish(challenge, { redirect_uri }));

    expect([told.status, told.headers.get('location')]).toEqual([400, null]);
  });

  test.each([{ code_challenge: '' }, { code_challenge_method: 'plain' }])(
    'requires PKCE: %o',
    async (over) => {
      const { challenge } = await aPkce();

      const { headers } = await ask(aBoard(), wish(challenge, over));

      expect(headers.get('location')).toMatch(/^https:\/\/peers\.example\.org\/of\/us\/\?error=/);
    },
  );

  test('learns who signs in, and gets no refresh token', async () => {
    const ctx = aBoard();
    const asked = await ask(ctx, wish((await aPkce()).challenge, { scope: 'openid email' }));
    const { ada, back, tokens } = await letIn(ctx);

    expect(asked.headers.get('location')).toContain('error=invalid_scope');
    expect(back.searchParams.get('iss')).toBe(BASE_URL);
    expect(tokens).not.toHaveProperty('refresh_token');
    expect(await tokenHolder(ctx, tokens['access_token'] ?? '', 'api')).toEqual({
      operator_id: ada.id,
      scopes: ['openid'],
      isSatellite: true,
    });
  });

  test('can read peers, and is rejected by all other operations for apps', async () => {
    const ctx = aBoard();
    const { ada, tokens } = await letIn(ctx);
    const served = await servedBy(ctx, tokens['access_token']);
    const application = await aLetInApplication(ctx, ada);

    expect(served).toEqual([getPeers.id]);
    expect(await servedBy(ctx, application.tokens['access_token'])).toEqual(
      OF_APPLICATIONS.map(({ id }) => id),
    );
    const message = JSON.stringify(modern('tools/call', { name: 'my_operator', arguments: {} }));
    const headers = modernHeaders('tools/call', 'my_operator');
    const atMcp = await post(ctx, message, { ...headers, ...bearer(tokens['access_token']) });
    expect([atMcp.status, atMcp.body?.code]).toEqual([403, 'credential_unsuitable']);
  });

  test('requires consent each time, is listed, and loses access immediately', async () => {
    const ctx = aBoard();
    const { ada, jar, tokens } = await letIn(ctx);
    const again = await ask(ctx, wish((await aPkce()).challenge, { scope: 'openid' }), {}, jar);
    const { prompt } = (await ctx.provider.interactions?.read(questionOf(again))) ?? {};
    const [listed] = readApplications(ctx, ada.id);

    revokeApplication(ctx, ada.id, listed?.id ?? '');

    expect(prompt).toBe('consent');
    expect(listed).toMatchObject({ name: 'Test board companion site' });
    expect(listed?.redirect_host).toBe('peers.example.org');
    const refused = tokenHolder(ctx, tokens['access_token'] ?? '', 'api');
    await expect(refused).rejects.toMatchObject({ code: 'token_invalid' });
  });

  test('leaves nothing that outlives its token', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    try {
      const ctx = aBoard();
      const { ada } = await letIn(ctx);
      const grants = () => {
        const nowS = Math.floor(Date.now() / 1000);
        return ctx.store.oidc.count('Grant', nowS);
      };
      vi.advanceTimersByTime(15 * 60 * 1000);
      const whileTokenLives = grants();
      vi.advanceTimersByTime(61 * 1000);

      expect([whileTokenLives, grants()]).toEqual([1, 0]);
      expect(ada.codename).toBe('ada');
    } finally {
      vi.useRealTimers();
    }
  });

  test('is unknown if the admin has not configured it', async () => {
    const { challenge } = await aPkce();

    const told = await ask(aBoard(null), wish(challenge));

    expect([told.status, told.headers.get('location')]).toEqual([400, null]);
  });

  test("appears by name in the operator's account activity", async () => {
    const ctx = aBoard();
    const ada = anOperator(ctx, 'ada');
    const jar = await aSignedInBrowser(ctx, ada);
    const { challenge } = await aPkce();
    const told = await ask(ctx, wish(challenge, { scope: 'openid' }), {}, jar);
    const uid = questionOf(told);
    const denied = await answerOnPage(
      ctx,
      { uid, cookieHeader: jar.header(`/login/interaction/${uid}`) },
      'deny',
    );

    expect(denied.name).toBe('Test board companion site');
  });
});
