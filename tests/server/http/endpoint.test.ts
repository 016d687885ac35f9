import { randomUUID } from 'node:crypto';
import type { APIContext } from 'astro';
import { describe, expect, test } from 'vitest';
import { setDataOptOut } from '#core/contract/account.ts';
import { createDeviceCode, enrollDevice, revokeDevice } from '#core/contract/devices.ts';
import { getLeaderboard } from '#core/contract/leaderboard.ts';
import { limitsOf } from '#core/contract/limits.ts';
import { getMe } from '#core/contract/me.ts';
import { Problem } from '#core/contract/problem.ts';
import { getSession } from '#core/contract/sessions.ts';
import { submitSnapshot } from '#core/contract/snapshots.ts';
import { signDeviceToken } from '#core/domain/signing/device-token.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import { ENVELOPE_MEDIA_TYPE } from '#core/schema/snapshot.ts';
import { bind, endpoint } from '#server/http/endpoint.ts';
import type { ApiKey } from '#server/identity/api-keys.ts';
import { RateLimiter } from '#server/process/rate-limit.ts';
import { BASE_URL, NOW_MS } from '#tests/support/board/builders.ts';
import { type TestContext, anEnrolledDevice, testContext } from '#tests/support/board/context.ts';
import { anUpload } from '#tests/support/http/http-layer.ts';
import { aLetInApplication } from '#tests/support/http/provider.ts';

const REQUEST_ID = '6f0f6a4e-0000-4000-8000-000000000000';

/** Returns the handler's input. */
const echo = ({ query, body, caller }: { query: unknown; body: unknown; caller: unknown }) =>
  ({ body: { query, body, caller } }) as never;

const API = endpoint(
  bind(getLeaderboard, echo),
  bind(enrollDevice, echo),
  bind(revokeDevice, echo),
);

async function call(
  api: typeof API,
  path: string,
  init: RequestInit = {},
  ctx: TestContext = testContext(),
  apiKey: ApiKey | null = null,
) {
  const request = new Request(BASE_URL + path, init);
  const locals = { ctx, client: 'a', requestId: REQUEST_ID, apiKey, upload: anUpload() };
  const context = { request, locals, params: {}, url: new URL(request.url) };
  const response = await api(context as unknown as APIContext);
  const body = (await response.json()) as Record<string, unknown>;
  return { status: response.status, headers: response.headers, body };
}

async function signedIn() {
  const ctx = testContext();
  const device = await anEnrolledDevice(ctx, 'ada');
  const cookie = (await ctx.sessions.start(1)).split(';')[0] ?? '';
  return { ctx, device, cookie };
}

describe('endpoint()', () => {
  test('ignores the cookie of a request that has an Authorization header', async () => {
    const { ctx, cookie } = await signedIn();
    const api = endpoint(bind(createDeviceCode, echo));
    const headers = { Cookie: cookie, Authorization: 'Bearer junk' };

    const { status, body } = await call(api, '/', { method: 'POST', headers }, ctx);

    expect([status, body['code']]).toEqual([401, 'unauthenticated']);
  });

  test('responds with service_unavailable and Retry-After while the store cannot write', async () => {
    const busy = Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' });
    const api = endpoint(bind(getLeaderboard, () => Promise.reject(busy)));

    const { status, headers, body } = await call(api, '/');

    expect([status, headers.get('retry-after'), body['code']]).toEqual([
      503,
      '2',
      'service_unavailable',
    ]);
    expect(JSON.stringify(body)).not.toContain('database');
  });

  test('reads the query with its defaults and lets caches store the response', async () => {
    const { status, headers, body } = await call(API, '/api/v1/leaderboard?limit=7');

    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('public, max-age=60');
    expect(body).toMatchObject({
      query: { window: '30d', metric: 'yield', trust: 'signed', limit: 7, format: 'json' },
      caller: null,
    });
  });

  test.each([
    ['?sort=x', '#/sort'],
    ['?window=1d', '#/window'],
    ['?limit=0', '#/limit'],
    ['?window=7d&window=30d', '#/window'],
    ['?__proto__=x', '#/__proto__'],
    ['?limit=0x10', '#/limit'],
    ['?limit=1e1', '#/limit'],
  ])('responds with query_invalid to %s', async (query, pointer) => {
    const { status, body } = await call(API, `/${query}`);

    expect(status).toBe(400);
    expect(Problem.parse(body)).toMatchObject({ code: 'query_invalid', errors: [{ pointer }] });
    expect(Problem.parse(body).detail).toContain(pointer.slice(2));
  });

  test.each([
    ['?window=7d&window=7d', 'window: must be given once'],
    ['?sort=x', 'sort: is not a parameter of this operation (valid parameters are window, tool'],
  ])('explains the fault in %s', async (query, detail) => {
    const { body } = await call(API, `/${query}`);

    expect(body['detail']).toContain(detail);
  });

  test('responds with method_not_allowed and the allowed methods', async () => {
    const { status, headers, body } = await call(API, '/', { method: 'PATCH' });

    expect([status, headers.get('allow')]).toEqual([405, 'DELETE, GET, HEAD, OPTIONS, POST']);
    expect(body).toMatchObject({ code: 'method_not_allowed' });
  });

  test('responds with unsupported_media_type and the supported types', async () => {
    const { status, headers } = await call(API, '/', { method: 'POST', body: 'x' });

    expect([status, headers.get('accept')]).toEqual([415, 'application/json']);
  });

  test('responds with validation_failed and the invalid members', async () => {
    const headers = { 'Content-Type': 'application/json' };

    const { status, body } = await call(API, '/', { method: 'POST', body: '{"code":1}', headers });

    expect(status).toBe(422);
    expect(body).toMatchObject({ code: 'validation_failed', instance: `urn:uuid:${REQUEST_ID}` });
    expect(body['errors']).toContainEqual(expect.objectContaining({ pointer: '#/code' }));
  });

  test('passes exact text to a route that needs it', async () => {
    const api = endpoint(bind(submitSnapshot, echo));
    const headers = { 'Content-Type': 'application/vnd.dsse.envelope.v1+json' };

    const { body } = await call(api, '/', { method: 'POST', body: ' {"a":1,"a":2} ', headers });

    expect(body['body']).toBe(' {"a":1,"a":2} ');
  });

  test('hides an unknown error and logs it, but does not log temporary errors', async () => {
    const ctx = testContext();
    const error = new Error('secret');
    const api = endpoint(bind(getLeaderboard, () => Promise.reject(error)));

    const { status, body } = await call(api, '/', {}, ctx);

    expect([status, body['code']]).toEqual([500, 'internal_error']);
    expect(JSON.stringify(body)).not.toContain('secret');
    expect(ctx.errors).toEqual([error]);

    const later = Promise.reject(new DomainError('service_unavailable', 'Later'));
    await call(endpoint(bind(getLeaderboard, () => later)), '/', {}, ctx);
    expect(ctx.errors).toEqual([error]);
  });

  test('says which quota is used up and when it is restored', async () => {
    const api = endpoint(
      bind(getLeaderboard, (asked) => {
        Array.from({ length: 121 }, () => asked.limit('enroll'));
        return echo(asked);
      }),
    );

    const { status, headers, body } = await call(api, '/');

    expect([status, body['code']]).toEqual([429, 'quota_exceeded']);
    expect(Object.fromEntries(headers)).toMatchObject({
      'retry-after': '600',
      'ratelimit-policy': '"enroll";q=120;w=600',
      ratelimit: '"enroll";r=0;t=600',
      'cache-control': 'no-store',
    });
  });

  test.each([
    ['100', null, 200],
    ['101', null, 400],
    ['101', { id: 'k', per_minute: 1 }, 200],
    ['1000', { id: 'k', per_minute: 1 }, 200],
    ['1001', { id: 'k', per_minute: 1 }, 400],
  ])('responds to limit=%s with the key %j with status %i', async (limit, key, status) => {
    const answer = await call(API, `/?limit=${limit}`, {}, testContext(), key);

    expect(answer.status).toBe(status);
    expect(answer.body['errors'] ?? [{ pointer: '#/limit' }]).toMatchObject([
      { pointer: '#/limit' },
    ]);
  });

  test("counts an operator's writes across all credentials, but no reads", async () => {
    const { ctx, cookie } = await signedIn();
    ctx.limiter = new RateLimiter(limitsOf({ publicReads: 1, writes: 2 }), () => NOW_MS);
    const api = endpoint(bind(createDeviceCode, echo), bind(getMe, echo));
    const ask = (method: string) => call(api, '/', { method, headers: { cookie } }, ctx);

    const statuses = [];
    for (const method of ['GET', 'POST', 'GET', 'POST', 'POST', 'GET']) {
      statuses.push((await ask(method)).status);
    }

    expect(statuses).toEqual([200, 201, 200, 201, 429, 200]);
    const { headers } = await ask('POST');
    expect(headers.get('ratelimit')).toBe('"writes";r=0;t=60');
  });

  test('does not count writes by strangers or other sites', async () => {
    const { ctx, cookie } = await signedIn();
    ctx.limiter = new RateLimiter(limitsOf({ publicReads: 1, writes: 1 }), () => NOW_MS);
    const api = endpoint(bind(createDeviceCode, echo));
    const ask = (headers: HeadersInit) => call(api, '/', { method: 'POST', headers }, ctx);

    expect((await ask({})).status).toBe(401);
    expect((await ask({ cookie, 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403);
    expect((await ask({ cookie })).status).toBe(201);
  });
});

describe('authentication', () => {
  test.each([
    ['a session', bind(createDeviceCode, echo), 'POST'],
    ['a device or session', bind(getMe, echo), 'GET'],
  ])('a route of %s rejects a request without credentials', async (_, binding, method) => {
    const { status, headers, body } = await call(endpoint(binding), '/', { method });

    expect(status).toBe(401);
    // A request without credentials gets no error code.
    expect(headers.get('www-authenticate')).toMatch(/^Bearer realm="opbench", scope="openid", /);
    expect(body).toMatchObject({ code: 'unauthenticated' });
  });

  test('a cookie identifies a session', async () => {
    const { ctx, cookie } = await signedIn();

    const { body } = await call(endpoint(bind(getMe, echo)), '/', { headers: { cookie } }, ctx);

    expect(body['caller']).toMatchObject({ operator_id: 1, device_id: null });
  });

  test('a token identifies a device, and the cookie is then ignored', async () => {
    const { ctx, device } = await signedIn();
    const request = { audience: BASE_URL, method: 'GET', path: '/api/v1/me' };
    const token = await signDeviceToken(request, device, NOW_MS, 'once');
    const headers = { authorization: `bearer ${token}`, cookie: 'session=x' };

    const api = endpoint(bind(getMe, echo));
    const { body } = await call(api, '/api/v1/me', { headers }, ctx);

    expect(body['caller']).toEqual({ operator_id: 1, device_id: 1 });
  });

  test('an invalid token is rejected, whatever the cookie', async () => {
    const { ctx, cookie } = await signedIn();
    const headers = { authorization: 'Bearer x', cookie };

    const { status, body } = await call(endpoint(bind(getMe, echo)), '/', { headers }, ctx);

    expect([status, body['code']]).toEqual([401, 'token_invalid']);
  });

  test.each([
    ['Basic x', 401, 'unauthenticated', ', scope='],
    ['', 401, 'unauthenticated', ', scope='],
    ['x', 401, 'unauthenticated', ', scope='],
    ['Bearer', 400, 'request_malformed', ', error="invalid_request"'],
    ['Bearer a b', 400, 'request_malformed', ', error="invalid_request"'],
    ['Bearer a', 401, 'token_invalid', ', error="invalid_token"'],
  ])('the Authorization "%s" gets %i', async (authorization, status, code, challenge) => {
    const { ctx, cookie } = await signedIn();
    const headers = { authorization, cookie };

    const answer = await call(endpoint(bind(getMe, echo)), '/', { headers }, ctx);

    expect([answer.status, answer.body['code']]).toEqual([status, code]);
    expect(answer.headers.get('www-authenticate')).toContain(`Bearer realm="opbench"${challenge}`);
  });

  test('an access token identifies a connected app, and other sites cannot make a browser send it', async () => {
    const { ctx } = await signedIn();
    ctx.clock.nowMs = Date.now();
    const ada = ctx.store.operators.byId(1);
    const { tokens } = await aLetInApplication(ctx, ada as NonNullable<typeof ada>);
    const authorization = `Bearer ${tokens['access_token']}`;
    const headers = { authorization, 'Sec-Fetch-Site': 'cross-site' };
    const request = { method: 'POST', headers };
    const asked = await call(endpoint(bind(setDataOptOut, echo)), '/', request, ctx);
    const ofSession = await call(endpoint(bind(createDeviceCode, echo)), '/', request, ctx);

    // It reached the check of the body, which is missing.
    expect([asked.status, asked.body['code']]).toEqual([415, 'unsupported_media_type']);
    expect([ofSession.status, ofSession.body['code']]).toEqual([403, 'credential_unsuitable']);
    expect(ofSession.headers.get('www-authenticate')).toBeNull();
  });

  test('a valid token of the wrong kind gets 403, any other 401', async () => {
    const { ctx, device } = await signedIn();
    const ask = async (binding: Parameters<typeof endpoint>[0], path: string) => {
      const request = { audience: BASE_URL, method: 'POST', path: '/good' };
      const token = await signDeviceToken(request, device, NOW_MS, randomUUID());
      const headers = { authorization: `Bearer ${token}` };
      const { status, body } = await call(
        endpoint(binding),
        path,
        { method: 'POST', headers },
        ctx,
      );
      return [status, body['code']];
    };
    const ofSession = bind(createDeviceCode, echo);
    const ofAccount = bind(setDataOptOut, echo);

    expect(await ask(ofSession, '/good')).toEqual([403, 'credential_unsuitable']);
    expect(await ask(ofAccount, '/good')).toEqual([403, 'credential_unsuitable']);
    expect(await ask(ofSession, '/other')).toEqual([401, 'unauthenticated']);
    expect(await ask(ofAccount, '/other')).toEqual([401, 'token_invalid']);
  });

  test('a snapshot needs a caller, unless it contains its own proof', async () => {
    const { ctx, cookie } = await signedIn();
    const api = endpoint(bind(submitSnapshot, echo));
    const send = (type: string, more: Record<string, string> = {}) => {
      const headers = { 'Content-Type': type, ...more };
      return call(api, '/', { method: 'POST', headers, body: '{}' }, ctx);
    };

    const signed = await send(ENVELOPE_MEDIA_TYPE, { cookie });
    const stranger = await send('application/json');
    const foreign = await send('application/json', { cookie, 'Sec-Fetch-Site': 'cross-site' });
    const other = await send('text/plain', { cookie });

    expect([signed.status, signed.body['caller']]).toEqual([201, null]);
    expect([stranger.status, stranger.body['code']]).toEqual([401, 'unauthenticated']);
    expect([foreign.status, foreign.body['code']]).toEqual([403, 'csrf_rejected']);
    expect([other.status, other.body['code']]).toEqual([415, 'unsupported_media_type']);
  });

  test('a cross-site write with a cookie is rejected, and a read is not', async () => {
    const { ctx, cookie } = await signedIn();
    const headers = { cookie, 'Sec-Fetch-Site': 'cross-site' };
    const api = endpoint(bind(createDeviceCode, echo), bind(getMe, echo));

    const write = await call(api, '/', { method: 'POST', headers }, ctx);
    const read = await call(api, '/', { headers }, ctx);

    expect([write.status, write.body['code']]).toEqual([403, 'csrf_rejected']);
    expect(read.status).toBe(200);
  });

  test('a cached public response does not depend on the cookie', async () => {
    const { ctx, cookie } = await signedIn();

    const board = await call(API, '/', { headers: { cookie } }, ctx);
    const state = endpoint(bind(getSession, echo));
    const session = await call(state, '/', { headers: { cookie } }, ctx);
    const other = await call(state, '/', { headers: { cookie, authorization: 'x' } }, ctx);

    expect(board.body['caller']).toBeNull();
    expect(session.body['caller']).toMatchObject({ operator_id: 1, device_id: null });
    expect(other.body['caller']).toBeNull();
    expect(session.headers.get('cache-control')).toBe('no-store');
  });
});
