import { gzipSync } from 'node:zlib';
import { SignJWT, importJWK } from 'jose';
import { describe, expect, test } from 'vitest';
import { signDeviceToken } from '#core/domain/signing/device-token.ts';
import { revokeApplication } from '#server/identity/provider/revoke-application.ts';
import { openSigningKey } from '#server/identity/board-key.ts';
import { BASE_URL } from '#tests/support/board/builders.ts';
import {
  type TestContext,
  anEnrolledDevice,
  anOperator,
  publish,
  testContext,
} from '#tests/support/board/context.ts';
import {
  type Told,
  ask,
  bearer,
  call,
  modern,
  modernHeaders,
  post,
  serve,
} from '#tests/support/mcp/mcp-board.ts';
import { aLetInApplication } from '#tests/support/http/provider.ts';

const MCP = `${BASE_URL}/api/mcp`;
const PUBLIC = modern('tools/call', { name: 'get_hall_of_signal', arguments: {} });
const OWN = modern('tools/call', { name: 'my_operator', arguments: {} });
const LEGACY = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'my_operator' } };

function aBoard(): TestContext {
  const ctx = testContext();
  publish(ctx);
  return ctx;
}

const ofCall = (name: string) => modernHeaders('tools/call', name);
const codes = ({ status, body }: Told) => [status, body?.code ?? body?.error?.code];

describe('the gate of the MCP server', () => {
  test('responds to unauthenticated calls of protected tools with where to get a token, in both protocol generations', async () => {
    const ctx = aBoard();

    for (const [message, headers] of [
      [OWN, ofCall('my_operator')],
      [LEGACY, {}],
    ] as const) {
      const told = await post(ctx, JSON.stringify(message), headers);

      expect(codes(told)).toEqual([401, 'unauthenticated']);
      expect(told.headers.get('content-type')).toMatch('application/problem+json');
      const challenge = told.headers.get('www-authenticate');
      expect(challenge).toContain(
        `resource_metadata="${BASE_URL}/.well-known/oauth-protected-resource/api/mcp"`,
      );
      expect(challenge).not.toContain('error=');
    }
  });

  test('accepts tokens for itself or for the whole board until access is revoked', async () => {
    const ctx = aBoard();
    const ada = anOperator(ctx, 'ada');

    for (const resource of [MCP, BASE_URL]) {
      const { tokens } = await aLetInApplication(ctx, ada, { resource });
      const me = await call(ctx, 'my_operator', {}, tokens['access_token']);
      expect(me.structuredContent).toMatchObject({ codename: 'ada' });

      const [application] = ctx.store.applications.ofOperator(ada.id);
      revokeApplication(ctx, ada.id, application?.id ?? '');
      const refused = await post(ctx, JSON.stringify(OWN), {
        ...ofCall('my_operator'),
        ...bearer(tokens['access_token']),
      });
      expect(codes(refused)).toEqual([401, 'token_invalid']);
      expect(refused.headers.get('www-authenticate')).toContain('error="invalid_token"');
    }
  });

  test('verifies tokens even for tools that need none', async () => {
    const ctx = aBoard();
    const headers = ofCall('get_hall_of_signal');

    expect((await post(ctx, JSON.stringify(PUBLIC), headers)).status).toBe(200);
    const withJunk = await post(ctx, JSON.stringify(PUBLIC), { ...headers, ...bearer('junk') });
    expect(codes(withJunk)).toEqual([401, 'token_invalid']);
    const basic = { ...headers, Authorization: 'Basic YTpi' };
    expect(codes(await post(ctx, JSON.stringify(PUBLIC), basic))).toEqual([401, 'unauthenticated']);
    const twice = { ...headers, Authorization: 'Bearer a b' };
    expect(codes(await post(ctx, JSON.stringify(PUBLIC), twice))).toEqual([
      400,
      'request_malformed',
    ]);
  });

  test('rejects device tokens, and access tokens without the required scope', async () => {
    const ctx = aBoard();
    const device = await anEnrolledDevice(ctx, 'ada');
    const request = { audience: BASE_URL, method: 'POST', path: '/api/mcp' };
    const token = await signDeviceToken(request, device, ctx.now().getTime(), 'a'.repeat(22));
    const asDevice = { ...ofCall('my_operator'), ...bearer(token) };

    expect(codes(await post(ctx, JSON.stringify(OWN), asDevice))).toEqual([
      403,
      'credential_unsuitable',
    ]);
    const less = await post(ctx, JSON.stringify(OWN), {
      ...ofCall('my_operator'),
      ...bearer(await aTokenWith(ctx, 'profile')),
    });
    expect(codes(less)).toEqual([403, 'insufficient_scope']);
    expect(less.headers.get('www-authenticate')).toMatch(
      /error="insufficient_scope".*scope="openid", resource_metadata=".*\/api\/mcp"/,
    );
  });

  test('rejects requests for other hosts and from other origins', async () => {
    const ctx = testContext({
      agents: { mcpOrigins: ['https://agent.example'], satellite: null },
    });
    publish(ctx);
    const from = async (headers: Record<string, string>) =>
      codes(await ask(ctx, 'tools/list', {}, headers))[1];

    expect(await from({ Host: 'evil.example' })).toBe('host_not_allowed');
    expect(await from({ Origin: 'https://evil.example' })).toBe('origin_not_allowed');
    expect(await from({ Origin: 'null' })).toBe('origin_not_allowed');
    expect(await from({ Origin: BASE_URL })).toBeUndefined();
    expect(await from({ Origin: 'https://agent.example' })).toBeUndefined();
    expect(await from({ Host: new URL(BASE_URL).host })).toBeUndefined();
  });

  test('cannot be bypassed with another form of a message', async () => {
    const ctx = aBoard();
    const text = JSON.stringify(LEGACY);
    const named = text.replace(
      '"name":"my_operator"',
      '"name":"get_challenges","name":"my_operator"',
    );
    const escaped = text.replace('"method"', '"\\u006dethod"').replace('my_', '\\u006dy_');

    expect(codes(await post(ctx, `[${text}]`))).toEqual([400, -32600]);
    expect(codes(await post(ctx, '[]'))).toEqual([400, -32600]);
    expect(codes(await post(ctx, named))).toEqual([400, -32700]);
    expect(codes(await post(ctx, `\uFEFF${text}`))).toEqual([400, -32700]);
    expect(codes(await post(ctx, Buffer.from(text, 'utf16le')))).toEqual([400, -32700]);
    expect(codes(await post(ctx, Buffer.from([0x22, 0xff, 0x22])))).toEqual([400, -32700]);
    expect(codes(await post(ctx, ''))).toEqual([400, -32700]);
    expect(codes(await post(ctx, 'null'))).toEqual([400, -32600]);
    expect(codes(await post(ctx, escaped))).toEqual([401, 'unauthenticated']);
  });

  test('accepts only plain JSON, and says so', async () => {
    const ctx = aBoard();
    const text = JSON.stringify(LEGACY);
    const packed = await post(ctx, gzipSync(text), { 'Content-Encoding': 'gzip' });
    const plain = await post(ctx, text, { 'Content-Type': 'text/plain' });

    expect(codes(packed)).toEqual([415, 'unsupported_media_type']);
    expect(codes(plain)).toEqual([415, 'unsupported_media_type']);
    expect(plain.headers.get('accept')).toBe('application/json');
    const got = await serve(ctx, new Request(MCP));
    expect(codes(got)).toEqual([405, 'method_not_allowed']);
    expect(got.headers.get('allow')).toBe('OPTIONS, POST');
  });

  test('sends one response to each message and keeps nothing open', async () => {
    const ctx = aBoard();
    const listen = await ask(ctx, 'subscriptions/listen', { notifications: {} });
    const old = await post(ctx, JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/list' }));
    const noted = { jsonrpc: '2.0', method: 'notifications/initialized' };

    expect(codes(listen)).toEqual([404, -32601]);
    expect(listen.body).toMatchObject({ id: 1 });
    for (const { status, headers } of [old, await ask(ctx, 'tools/list')]) {
      expect([status, headers.get('content-type')]).toEqual([200, 'application/json']);
    }
    expect((await post(ctx, JSON.stringify(noted))).status).toBe(202);
  });
});

/** Returns a token of the board with these scopes. */
async function aTokenWith(ctx: TestContext, scope: string): Promise<string> {
  const key = openSigningKey(ctx.store, ctx.now());
  const iat = ctx.now().getTime() / 1000;
  const claims = { iss: BASE_URL, aud: MCP, sub: 'x', iat, exp: iat + 60, scope };
  const head = { alg: 'ES256', typ: 'at+jwt', kid: key.kid ?? '' };
  return new SignJWT(claims).setProtectedHeader(head).sign(await importJWK(key, 'ES256'));
}
