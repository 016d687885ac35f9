import { describe, expect, test } from 'vitest';
import { finishSignIn, startSignIn } from '#server/identity/sign-in/upstream-sign-in.ts';
import { readAccountMethods } from '#server/identity/sign-in/accounts.ts';
import { MINUTE_MS } from '#tests/support/board/builders.ts';
import { type TestContext, anOperator, dumpOf, testContext } from '#tests/support/board/context.ts';
import { refusal } from '#tests/support/http/refusal.ts';
import { type Browser, aBrowser, anAskingProvider } from '#tests/support/http/sign-in.ts';
import { CLIENT, aSite, visit } from '#tests/support/http/upstream.ts';

type SiteName = 'github' | 'twitter';

async function aBoard(name: SiteName = 'github') {
  const ctx = testContext();
  const provider = anAskingProvider(ctx);
  const site = await aSite(name);
  const signIn = { ...ctx.config.signIn, [name]: { ...CLIENT, url: site.url, apiUrl: site.url } };
  ctx.config = { ...ctx.config, signIn };
  return { ctx, provider, site };
}

/** Visits the site and returns the address that it redirects the browser to. */
async function leave(
  ctx: TestContext,
  browser: Browser,
  {
    name = 'github',
    operator_id,
    interaction = 'one',
  }: { name?: SiteName; operator_id?: number; interaction?: string } = {},
): Promise<URL> {
  const purpose =
    operator_id === undefined
      ? { interaction, operator_id: null }
      : { interaction: null, operator_id };
  const { location, cookies } = await startSignIn(ctx, name, purpose, browser.cookieHeader);
  browser.keep(...cookies);
  return visit(location);
}

describe.each(['github', 'twitter'] as const)('signing in with %s', (name) => {
  test('creates an account at the first sign-in and finds it later, even under another name', async () => {
    const { ctx, provider, site } = await aBoard(name);
    const browser = aBrowser('one');
    const back = await leave(ctx, browser, { name });
    expect(back.href).toContain(`http://127.0.0.1:4321/login/${name}/callback?code=`);
    await finishSignIn(ctx, name, back.searchParams, browser);
    const first = provider.told.get('one');
    site.user.name = 'renamed';
    const again = await leave(ctx, browser, { name });
    const { location } = await finishSignIn(ctx, name, again.searchParams, browser);

    expect(location).toBe(`/login/interaction/one?proof=of-${first}`);
    expect(ctx.store.operators.byId(2)).toBeUndefined();
    expect(readAccountMethods(ctx, 1)[0]?.label).toMatch(/^@?renamed$/);
  });

  test('stores neither token, state, interaction nor user ID', async () => {
    const { ctx, site } = await aBoard(name);
    site.user.id = 1234567890;
    const browser = aBrowser('question');
    const back = await leave(ctx, browser, { name, interaction: 'question' });
    const during = JSON.stringify(dumpOf(ctx));
    await finishSignIn(ctx, name, back.searchParams, browser);
    const after = JSON.stringify(dumpOf(ctx));

    expect(during).not.toContain(back.searchParams.get('state'));
    expect(during).not.toContain('question');
    expect(after).not.toMatch(/1234567890|secret-token/);
    expect(dumpOf(ctx)['sign_in_attempts']).toEqual([]);
  });

  test('throws sign_in_failed for a code that the site rejects', async () => {
    const { ctx } = await aBoard(name);
    const browser = aBrowser('one');
    const back = await leave(ctx, browser, { name });
    back.searchParams.set('code', 'another');

    const finished = finishSignIn(ctx, name, back.searchParams, browser);
    await expect(finished).rejects.toEqual(refusal('sign_in_failed'));
    expect(dumpOf(ctx)['operators']).toEqual([]);
  });

  test.each<[what: string, path: 'token' | 'user', status: number, head: object, body: string]>([
    ['fails', 'token', 500, {}, 'oops'],
    ['does not recognize the board', 'token', 401, {}, '{"error":"invalid_client"}'],
    ['returns no token', 'token', 200, {}, '{}'],
    ['does not return JSON', 'token', 200, {}, '<html>'],
    ['sends an endless response', 'token', 200, {}, `"${'x'.repeat(300_000)}"`],
    ['redirects the code elsewhere', 'token', 307, { Location: 'http://127.0.0.1:1/' }, ''],
    ['does not identify the user', 'user', 200, {}, '{"id":"x","data":{"id":"x"}}'],
    ['refuses to identify the user', 'user', 403, {}, '{"message":"no"}'],
  ])('throws method_unavailable if the site %s', async (_, place, status, head, body) => {
    const { ctx, site } = await aBoard(name);
    const browser = aBrowser('one');
    const back = await leave(ctx, browser, { name });
    const paths = {
      github: { token: '/login/oauth/access_token', user: '/user' },
      twitter: { token: '/2/oauth2/token', user: '/2/users/me' },
    };
    site.misbehave.set(paths[name][place], (response) => {
      response.writeHead(status, { ...head }).end(body);
    });

    const finished = finishSignIn(ctx, name, back.searchParams, browser);
    await expect(finished).rejects.toEqual(refusal('method_unavailable'));
    expect(dumpOf(ctx)['operators']).toEqual([]);
  });
});

describe('finishSignIn()', () => {
  const REFUSED = refusal('sign_in_failed');

  test('completes a sign-in once', async () => {
    const { ctx } = await aBoard();
    const browser = aBrowser('one');
    const { searchParams } = await leave(ctx, browser);
    const { cookieHeader } = browser;
    await finishSignIn(ctx, 'github', searchParams, browser);

    const replay = finishSignIn(ctx, 'github', searchParams, { ...browser, cookieHeader });
    await expect(replay).rejects.toEqual(REFUSED);
  });

  test('rejects another browser, which would otherwise sign in as the person who started', async () => {
    const { ctx, site, provider } = await aBoard();
    const [attacker, victim] = [aBrowser('one'), aBrowser('two')];
    const { searchParams } = await leave(ctx, attacker);
    await leave(ctx, victim, { interaction: 'two' });

    await expect(finishSignIn(ctx, 'github', searchParams, victim)).rejects.toEqual(REFUSED);
    await expect(finishSignIn(ctx, 'github', searchParams, aBrowser())).rejects.toEqual(REFUSED);
    expect(site.asked).not.toContain('POST /login/oauth/access_token');
    expect(provider.told.size).toBe(0);
  });

  test.each([
    ['another state', { state: 'another' }],
    ['an error', { error: 'access_denied' }],
    ['no code', { code: '' }],
  ])('throws sign_in_failed for %s, without a request to the site', async (_, over) => {
    const { ctx, site } = await aBoard();
    const browser = aBrowser('one');
    const { searchParams } = await leave(ctx, browser);
    Object.entries(over).forEach(([field, value]) => searchParams.set(field, value));

    await expect(finishSignIn(ctx, 'github', searchParams, browser)).rejects.toEqual(REFUSED);
    expect(site.asked).toEqual(['GET /login/oauth/authorize']);
  });

  test('throws sign_in_failed after 10 minutes, and at the address of another site', async () => {
    const { ctx } = await aBoard();
    const signIn = { ...ctx.config.signIn, twitter: ctx.config.signIn.github };
    ctx.config = { ...ctx.config, signIn };
    const browser = aBrowser('one');
    const { searchParams } = await leave(ctx, browser);

    await expect(finishSignIn(ctx, 'twitter', searchParams, browser)).rejects.toEqual(REFUSED);
    ctx.clock.nowMs += 10 * MINUTE_MS;
    await expect(finishSignIn(ctx, 'github', searchParams, browser)).rejects.toEqual(REFUSED);
  });

  test('never finds an account by its label: another user ID is another account', async () => {
    const { ctx, site } = await aBoard();
    const browser = aBrowser('one');
    await finishSignIn(ctx, 'github', (await leave(ctx, browser)).searchParams, browser);
    site.user.id += 1;
    await finishSignIn(ctx, 'github', (await leave(ctx, browser)).searchParams, browser);

    expect(dumpOf(ctx)['operators']).toHaveLength(2);
  });

  test('links the method to the requesting account, while it is signed in', async () => {
    const { ctx } = await aBoard();
    const { id } = anOperator(ctx, 'ada');
    const browser = aBrowser();
    browser.keep(await ctx.sessions.start(id));
    const { searchParams } = await leave(ctx, browser, { operator_id: id });

    const { location } = await finishSignIn(ctx, 'github', searchParams, browser);

    expect(location).toBe('/settings/sign-in?done=linked');
    expect(readAccountMethods(ctx, id)).toMatchObject([{ method: 'github', label: 'octocat' }]);
  });

  test('links nothing to an account that is no longer signed in', async () => {
    const { ctx } = await aBoard();
    const [ada, eve] = [anOperator(ctx, 'ada').id, anOperator(ctx, 'eve').id];
    const browser = aBrowser();
    browser.keep(await ctx.sessions.start(ada));
    const { searchParams } = await leave(ctx, browser, { operator_id: ada });
    browser.keep(await ctx.sessions.start(eve));

    await expect(finishSignIn(ctx, 'github', searchParams, browser)).rejects.toEqual(REFUSED);
    expect([readAccountMethods(ctx, ada), readAccountMethods(ctx, eve)]).toEqual([[], []]);
  });

  test("throws method_taken for another account's method", async () => {
    const { ctx } = await aBoard();
    const owner = aBrowser('one');
    await finishSignIn(ctx, 'github', (await leave(ctx, owner)).searchParams, owner);
    const { id } = anOperator(ctx, 'eve');
    const eve = aBrowser();
    eve.keep(await ctx.sessions.start(id));
    const { searchParams } = await leave(ctx, eve, { operator_id: id });

    const linked = finishSignIn(ctx, 'github', searchParams, eve);
    await expect(linked).rejects.toEqual(refusal('method_taken'));
    expect(readAccountMethods(ctx, 1)).toHaveLength(1);
  });
});

describe('startSignIn()', () => {
  test.each(['twitter', 'gitlab', '__proto__'])('throws not_found for %s', async (name) => {
    const { ctx } = await aBoard();
    const purpose = { interaction: 'one', operator_id: null };
    const { cookieHeader } = aBrowser('one');

    const started = startSignIn(ctx, name, purpose, cookieHeader);
    await expect(started).rejects.toEqual(refusal('not_found'));
  });

  test('starts only in the browser that the provider asks', async () => {
    const { ctx } = await aBoard();
    const purpose = { interaction: 'one', operator_id: null };

    const started = startSignIn(ctx, 'github', purpose, aBrowser('two').cookieHeader);
    await expect(started).rejects.toEqual(refusal('interaction_expired'));
  });
});
