import { generateKeyPairSync, createSecretKey } from 'node:crypto';
import { SignJWT, UnsecuredJWT, importJWK, type JWTPayload } from 'jose';
import { describe, expect, test } from 'vitest';
import { tokenHolder } from '#server/identity/access-tokens.ts';
import { openSigningKey, publicJwk } from '#server/identity/board-key.ts';
import { BASE_URL } from '#tests/support/board/builders.ts';
import { type TestContext, anOperator, testContext } from '#tests/support/board/context.ts';
import { SATELLITE } from '#tests/support/pages/satellite.ts';
import { sha256Hex } from '#server/process/crypto.ts';

const GRANT = 'a-grant';

/** An operator who connected an app, with a grant that is valid for an hour. */
function letIn(options: Parameters<typeof testContext>[0] = {}) {
  const ctx = testContext(options);
  const { public_id } = anOperator(ctx, 'ada');
  const nowS = ctx.now().getTime() / 1000;
  ctx.store.oidc.put({
    kind: 'Grant',
    id_hash: sha256Hex(GRANT),
    payload: JSON.stringify({ accountId: public_id }),
    grant_hash: null,
    uid_hash: null,
    account: public_id,
    expires_at: nowS + 3600,
  });
  const claims = {
    iss: BASE_URL,
    aud: BASE_URL,
    sub: public_id,
    scope: 'openid',
    iat: nowS,
    exp: nowS + 900,
    grant: GRANT,
  };
  return { ctx, claims, nowS };
}

interface Forgery {
  claims?: JWTPayload;
  header?: { alg?: string; kid?: string; typ?: string };
  key?: Parameters<SignJWT['sign']>[0];
}

async function signed(ctx: TestContext, claims: JWTPayload, { header, key }: Forgery = {}) {
  const own = openSigningKey(ctx.store, ctx.now());
  const head = { alg: 'ES256', typ: 'at+jwt', kid: own.kid ?? '', ...header };
  const by = key ?? (await importJWK(own, 'ES256'));
  return new SignJWT(claims).setProtectedHeader(head).sign(by);
}

const refusal = (ctx: TestContext, token: string) =>
  tokenHolder(ctx, token, 'api').then(
    () => 'let in',
    (error: { code: string }) => error.code,
  );

describe('tokenHolder()', () => {
  test('finds the operator of an access token, and records its use', async () => {
    const { ctx, claims } = letIn();

    expect(await tokenHolder(ctx, await signed(ctx, claims), 'api')).toEqual({
      operator_id: 1,
      scopes: ['openid'],
      isSatellite: false,
    });
  });

  test.each([
    [SATELLITE, { client_id: 'satellite' }, true],
    [SATELLITE, { azp: 'satellite' }, true],
    [SATELLITE, { client_id: 'other', azp: 'satellite' }, true],
    [SATELLITE, { client_id: 'other' }, false],
    [null, { client_id: 'satellite' }, false],
  ])('recognizes the companion site %o by its claims %o', async (satellite, own, isSatellite) => {
    const { ctx, claims } = letIn({ agents: { mcpOrigins: [], satellite } });
    const token = await signed(ctx, { ...claims, ...own });

    expect(await tokenHolder(ctx, token, 'api')).toMatchObject({ isSatellite });
  });

  test('accepts a token even if nothing can be written', async () => {
    const { ctx, claims } = letIn();
    const application = { name: null, redirect_host: 'localhost', created_at: '2026-01-01' };
    const grant_hash = sha256Hex(GRANT);
    ctx.store.applications.put({ id: 'a', grant_hash, operator_id: 1, ...application });
    ctx.store.applications.use = () => {
      throw new Error('database is locked');
    };

    await expect(tokenHolder(ctx, await signed(ctx, claims), 'api')).resolves.toMatchObject({
      operator_id: 1,
    });
  });

  test.each<[string, (claims: JWTPayload) => Forgery, string]>([
    [
      'for another audience',
      (own) => ({ claims: { ...own, aud: 'https://other.example.org' } }),
      'token_invalid',
    ],
    [
      'for the MCP server',
      (own) => ({ claims: { ...own, aud: `${BASE_URL}/api/mcp` } }),
      'token_invalid',
    ],
    [
      'by another issuer',
      (own) => ({ claims: { ...own, iss: 'https://other.example.org' } }),
      'token_invalid',
    ],
    ['that expired', (own) => ({ claims: { ...own, exp: (own.iat ?? 0) - 11 } }), 'token_invalid'],
    ['without end', ({ exp: _, ...own }) => ({ claims: own }), 'token_invalid'],
    ['that is an ID token', () => ({ header: { typ: 'JWT' } }), 'token_invalid'],
    ['of an unknown key', () => ({ header: { kid: 'other' } }), 'token_invalid'],
    [
      'signed by another key',
      () => ({ key: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey }),
      'token_invalid',
    ],
    [
      'of another operator',
      (own) => ({ claims: { ...own, sub: 'somebody-else' } }),
      'token_invalid',
    ],
    [
      'whose grant was revoked',
      (own) => ({ claims: { ...own, grant: 'another' } }),
      'token_invalid',
    ],
    ['bound to a key', (own) => ({ claims: { ...own, cnf: { jkt: 'x' } } }), 'token_invalid'],
    [
      'without the scope',
      (own) => ({ claims: { ...own, scope: 'profile' } }),
      'insufficient_scope',
    ],
  ])('rejects a token %s', async (_, forge, code) => {
    const { ctx, claims } = letIn();
    const forgery = forge(claims);

    expect(await refusal(ctx, await signed(ctx, forgery.claims ?? claims, forgery))).toBe(code);
  });

  test('rejects a token without a signature, and one made with the public key', async () => {
    const { ctx, claims } = letIn();
    const own = publicJwk(openSigningKey(ctx.store, ctx.now()));
    const secret = createSecretKey(Buffer.from(JSON.stringify(own)));
    const header = { alg: 'HS256' };
    const good = await signed(ctx, claims);
    const none = new UnsecuredJWT(claims).encode();
    const typed = `${Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url')}.${good.split('.')[1]}.`;

    expect(await refusal(ctx, await signed(ctx, claims, { header, key: secret }))).toBe(
      'token_invalid',
    );
    expect(await refusal(ctx, none)).toBe('token_invalid');
    expect(await refusal(ctx, typed)).toBe('token_invalid');
    expect(await refusal(ctx, good.slice(0, good.lastIndexOf('.') + 1))).toBe('token_invalid');
  });

  test('tolerates clocks that are off by up to ten seconds', async () => {
    const { ctx, claims, nowS } = letIn();

    expect(await refusal(ctx, await signed(ctx, { ...claims, exp: nowS - 9 }))).toBe('let in');
    expect(await refusal(ctx, await signed(ctx, { ...claims, exp: nowS - 10 }))).toBe(
      'token_invalid',
    );
  });
});
