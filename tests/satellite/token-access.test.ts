/** Sign-in on the companion site on another host, with the board's own provider and an external one. */
import { OAuth2Server } from 'oauth2-mock-server';
import { decodeJwt } from 'jose';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { SatelliteClient } from '#core/contract/satellite.ts';
import { BASE_URL } from '#tests/support/board/builders.ts';
import { type TestContext, anOperator, testContext } from '#tests/support/board/context.ts';
import { aSignedInBrowser, answerConsent } from '#tests/support/http/provider.ts';
import {
  CLIENT,
  SATELLITE,
  SITE,
  type TestTab,
  aTab,
  boardOf,
} from '#tests/support/pages/satellite.ts';
import type { Access } from '../../src/satellite/answers.ts';
import { tokenAccess } from '../../src/satellite/token-access.ts';

const NO_QUERY = new URLSearchParams();
const WAY = { board: BASE_URL, client: CLIENT };

function aBoard(): TestContext {
  const ctx = testContext({ agents: { mcpOrigins: [], satellite: SATELLITE } });
  ctx.clock.nowMs = Date.now();
  return ctx;
}

async function click({ signIn }: Access): Promise<void> {
  if (typeof signIn === 'string') throw new Error('It has no way of its own');
  await signIn();
}

/** The page after ada started the sign-in and gave consent. */
async function cameBack(ctx: TestContext, verdict?: 'approve' | 'deny') {
  const operator = ctx.store.operators.byCodename('ada') ?? anOperator(ctx, 'ada');
  const jar = await aSignedInBrowser(ctx, operator);
  const tab = aTab(boardOf(ctx));
  await click(tokenAccess(WAY, tab));
  const [left] = tab.left.splice(0);
  const path = `${left?.pathname}${left?.search}`;
  tab.at = await answerConsent(ctx, { jar, operator, path, ...(verdict && { verdict }) });
  tab.asked.splice(0);
  return tab;
}

const deny = (): never => {
  throw new DOMException('denied', 'SecurityError');
};

/** The page's answer after the redirect. */
async function told(tab: TestTab, client: SatelliteClient = CLIENT) {
  const answer = await tokenAccess({ board: BASE_URL, client }, tab).peers(NO_QUERY);
  return answer.kind === 'refused' ? answer.refusal.detail : answer.kind;
}

const paths = ({ asked }: TestTab) => asked.map(({ address }) => new URL(address).pathname);
const DISCOVERY = '/.well-known/oauth-authorization-server';

describe("with the board's own provider", () => {
  test('requests only the identity, bound to this tab', async () => {
    const tab = aTab(boardOf(aBoard()));

    await click(tokenAccess(WAY, tab));

    const [left = new URL(SITE)] = tab.left;
    const { state, nonce, code_challenge, ...rest } = Object.fromEntries(left.searchParams);
    expect(left.origin + left.pathname).toBe(`${BASE_URL}/oauth/authorize`);
    expect(rest).toEqual({
      response_type: 'code',
      client_id: 'satellite',
      redirect_uri: SITE,
      scope: 'openid',
      code_challenge_method: 'S256',
      resource: BASE_URL,
    });
    const [kept = ''] = tab.kept.values();
    expect(kept).toContain(state);
    expect(kept).toContain(nonce);
    expect(kept).not.toContain(code_challenge);
  });

  test('returns with a token that is only in memory', async () => {
    const ctx = aBoard();
    const tab = await cameBack(ctx);
    const access = tokenAccess(WAY, tab);

    const first = await access.peers(new URLSearchParams({ limit: '3' }));
    const second = await access.peers(NO_QUERY);

    expect([first, second].map((answer) => answer)).toEqual([
      { kind: 'peers', peers: { codename: 'ada' } },
      { kind: 'peers', peers: { codename: 'ada' } },
    ]);
    expect(tab.at.href).toBe(SITE);
    expect(tab.kept.size).toBe(0);
    expect(paths(tab)).toEqual([DISCOVERY, '/oauth/token', '/api/v1/peers', '/api/v1/peers']);
    expect(tab.asked[2]?.address).toContain('?limit=3');
    expect(tab.asked.map(({ init }) => init)).toEqual(
      tab.asked.map(() => expect.objectContaining({ credentials: 'omit', redirect: 'error' })),
    );
    const { headers } = tab.asked[3]?.init ?? {};
    const token = new Headers(headers).get('authorization')?.split(' ')[1] ?? '';
    expect(decodeJwt(token)).toMatchObject({ aud: BASE_URL, scope: 'openid' });
    // After a reload nobody is signed in.
    expect(await told(tab)).toBe('signed-out');
  });

  test('reports a denied sign-in once', async () => {
    const tab = await cameBack(aBoard(), 'deny');
    const access = tokenAccess(WAY, tab);

    const answers = [await access.peers(NO_QUERY), await access.peers(NO_QUERY)];

    expect(answers).toMatchObject([
      { kind: 'refused', refusal: { detail: 'You did not allow this site to connect' } },
      { kind: 'signed-out' },
    ]);
    expect([tab.at.href, tab.kept.size]).toEqual([SITE, 0]);
  });

  test('rejects an answer that this tab did not request', async () => {
    const ctx = aBoard();
    const stolen = await cameBack(ctx);
    const other = aTab(boardOf(ctx), stolen.at.href);
    const unasked = 'The answer does not belong to a sign-in that started in this tab';

    expect(await told(other)).toBe(unasked);
    stolen.at.searchParams.set('state', 'another');
    expect(await told(stolen)).toBe(unasked);
    const refusal = aTab(boardOf(ctx), `${SITE}?error=<b>you+won</b>`);
    expect(await told(refusal)).toBe(unasked);
    expect([...paths(other), ...paths(stolen)]).toEqual([]);
    expect([other.at.href, refusal.at.href, stolen.kept.size]).toEqual([SITE, SITE, 0]);
  });

  test.each<[string, TestTab['storage']]>([
    ['tells nothing', () => deny()],
    ['holds something else', () => ({ getItem: () => '{', setItem: deny, removeItem: () => {} })],
  ])('leaves no code in the address if the tab %s', async (_, storage) => {
    const tab = await cameBack(aBoard());
    tab.storage = storage;

    await told(tab);

    expect([tab.at.href, paths(tab)]).toEqual([SITE, []]);
  });

  test.each([
    ['iss', 'https://evil.example', 'The answer does not match the sign-in that was started'],
    ['iss', null, 'The answer does not match the sign-in that was started'],
    ['code', 'guessed', 'The sign-in took too long, or its code was already used'],
  ])('rejects an answer whose %s is %s', async (name, value, detail) => {
    const tab = await cameBack(aBoard());
    if (value === null) tab.at.searchParams.delete(name);
    else tab.at.searchParams.set(name, value);

    expect(await told(tab)).toBe(detail);
    expect(paths(tab)).not.toContain('/api/v1/peers');
  });

  test('rejects the code of another sign-in of this tab', async () => {
    const ctx = aBoard();
    const first = await cameBack(ctx);
    const second = await cameBack(ctx);
    const code = first.at.searchParams.get('code') ?? '';

    second.at.searchParams.set('code', code);

    expect(await told(second)).toBe('The sign-in took too long, or its code was already used');
  });

  test('asks to sign in again after the board rejects the token', async () => {
    const ctx = aBoard();
    const tab = await cameBack(ctx);
    const access = tokenAccess(WAY, tab);
    expect((await access.peers(NO_QUERY)).kind).toBe('peers');

    const { id = 0 } = ctx.store.operators.byCodename('ada') ?? {};
    const [application] = ctx.store.applications.ofOperator(id);
    ctx.store.oidc.revokeGrant(application?.grant_hash ?? '');
    const answers = [await access.peers(NO_QUERY), await access.peers(NO_QUERY)];
    await click(access);

    expect(application).toMatchObject({ name: 'Test board companion site' });
    expect(answers).toEqual([{ kind: 'signed-out' }, { kind: 'signed-out' }]);
    expect(paths(tab).filter((path) => path === '/api/v1/peers')).toHaveLength(2);
    expect(tab.left).toHaveLength(1);
  });
});

describe('errors before the redirect', () => {
  const failing = () => Promise.reject(new TypeError('fetch failed'));
  const down = async () => Response.json({}, { status: 503 });
  const lying = async () => Response.json({ issuer: 'https://evil.example' });
  const silent = () => Promise.reject(new DOMException('late', 'TimeoutError'));

  test.each([
    ['nothing answers', failing, 'did not answer'],
    ['the provider is down', down, 'did not answer'],
    ['it takes too long', silent, 'did not answer'],
    ['the board names another issuer', lying, 'does not match the sign-in'],
  ])('are reported: %s', async (_, answer, detail) => {
    const tab = aTab(answer);
    const access = tokenAccess(WAY, tab);
    await click(access);

    expect(await access.peers(NO_QUERY)).toMatchObject({
      kind: 'refused',
      refusal: { code: 'sign_in_failed', detail: expect.stringContaining(detail) as string },
    });
    expect([tab.left, tab.kept.size]).toEqual([[], 0]);
  });

  test('a copy at another address names the right one', async () => {
    const tab = aTab(boardOf(aBoard()), 'https://copy.example/');
    const access = tokenAccess(WAY, tab);
    await click(access);

    expect(await access.peers(NO_QUERY)).toMatchObject({ refusal: { hint: `Open ${SITE}` } });
    expect(tab.asked).toEqual([]);
  });

  test('a browser without storage', async () => {
    const tab = aTab(boardOf(aBoard()));
    tab.storage = () => {
      throw new DOMException('denied', 'SecurityError');
    };
    const access = tokenAccess(WAY, tab);
    await click(access);

    expect(await access.peers(NO_QUERY)).toMatchObject({
      refusal: { hint: 'Allow site data for this page, then sign in again.' },
    });
  });
});

/** A board with an external provider, and its companion site on another host. */
async function anywhere(audience: string | null) {
  const server = new OAuth2Server();
  await server.issuer.keys.generate('RS256');
  await server.start(0, 'localhost');
  onTestFinished(() => server.stop());
  const url = server.issuer.url ?? '';
  server.service.on('beforeTokenSigning', ({ header, payload }, request: { body: object }) => {
    // Its ID tokens have a nonce; all other tokens are for the board.
    if ('nonce' in payload || !('grant_type' in request.body)) return;
    Object.assign(header, { typ: 'at+jwt' });
    Object.assign(payload, { aud: audience ?? BASE_URL });
  });
  const { signIn } = testContext().config;
  const accessTokenTyp = 'at+jwt';
  const authority = { url, clientId: 'board', clientSecret: null, audience, accessTokenTyp };
  const satellite = { ...SATELLITE, clientId: 'spa' };
  const ctx = testContext({
    signIn: { ...signIn, authority },
    agents: { mcpOrigins: [], satellite },
  });
  ctx.clock.nowMs = Date.now();
  const client = { id: 'spa', issuer: url, redirect_uri: SITE, resource: audience ?? BASE_URL };
  const board = boardOf(ctx);
  const tab = aTab((address, init) => {
    return address.startsWith(`${url}/`) ? fetch(address, init) : board(address, init);
  });
  return { server, client, tab };
}

describe('with an external provider', () => {
  test.each([
    [null, { resource: BASE_URL, audience: BASE_URL }],
    ['https://aud.example', { resource: 'https://aud.example', audience: 'https://aud.example' }],
    ['the board', { audience: 'the board' }],
  ])('requests a token for the audience %s and accepts the answer', async (audience, purpose) => {
    const { client, tab } = await anywhere(audience);
    await click(tokenAccess({ board: BASE_URL, client }, tab));
    const [left = new URL(SITE)] = tab.left;
    const { resource, audience: asked, client_id } = Object.fromEntries(left.searchParams);

    const answer = await fetch(left, { redirect: 'manual' });
    tab.at = new URL(answer.headers.get('location') ?? SITE);
    const said = await told(tab, client);

    expect(client_id).toBe('spa');
    expect({ ...(resource && { resource }), audience: asked }).toEqual(purpose);
    // The account has not signed in to the board yet, so it has no peers.
    expect(said).toBe('signed-out');
    expect(paths(tab)).toEqual([DISCOVERY, DISCOVERY, '/token', '/api/v1/peers']);
  });

  test('rejects the ID token of another request', async () => {
    const { server, client, tab } = await anywhere(null);
    await click(tokenAccess({ board: BASE_URL, client }, tab));
    const answer = await fetch(tab.left[0] ?? SITE, { redirect: 'manual' });
    server.service.on('beforeTokenSigning', ({ payload }) => {
      if ('nonce' in payload) Object.assign(payload, { nonce: 'another' });
    });
    tab.at = new URL(answer.headers.get('location') ?? SITE);

    expect(await told(tab, client)).toBe('The answer does not match the sign-in that was started');
    expect(paths(tab)).not.toContain('/api/v1/peers');
  });
});
