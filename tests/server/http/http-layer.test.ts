import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { BODY_LIMIT_BYTES, SNAPSHOT_LIMIT_BYTES } from '#core/contract/limits.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import { prepare } from '#server/http/response/prepared-response.ts';
import { bytesOf } from '#server/http/request/body.ts';
import { BASE_URL } from '#tests/support/board/builders.ts';
import { HOST, anHttpLayer } from '#tests/support/http/http-layer.ts';

const MIB = 1024 * 1024;

const jsonOf = (bytes: Buffer) => JSON.parse(bytes.toString()) as unknown;

describe('receive()', () => {
  test('passes on method, address, headers and body', async () => {
    const { ask } = await anHttpLayer();
    const headers = { 'X-Test': '1', ...HOST };

    const { bytes } = await ask({
      method: 'POST',
      target: '/api/v1/snapshots?c=%20d',
      headers,
      body: 'héllo',
    });

    expect(jsonOf(bytes)).toEqual({
      method: 'POST',
      url: `${BASE_URL}/api/v1/snapshots?c=%20d`,
      header: '1',
      body: 'héllo',
    });
  });

  test('takes the host from the base URL and not from the request', async () => {
    const { ask } = await anHttpLayer();

    const { bytes } = await ask({
      method: 'POST',
      target: '/settings',
      headers: { Host: 'evil.example' },
    });

    expect(jsonOf(bytes)).toMatchObject({ url: `${BASE_URL}/settings` });
  });

  test.each([
    '//evil.example/x',
    '///x',
    '/\\evil.example',
    'http://evil.example/x',
    'https://127.0.0.1:4321/x',
    '/_image?href=/icon.svg',
    '/_server-islands/x',
    '*',
  ])('responds with not_found to the target %s', async (target) => {
    const { ask } = await anHttpLayer();

    const { status, headers, bytes } = await ask({ target, headers: HOST });

    expect(status).toBe(404);
    expect(headers['content-type']).toBe('application/problem+json; charset=utf-8');
    expect(jsonOf(bytes)).toMatchObject({ code: 'not_found' });
  });

  test('passes on repeated header fields unchanged', async () => {
    const { ask } = await anHttpLayer();

    const { bytes } = await ask({
      method: 'POST',
      target: '/settings',
      headers: { 'X-Test': ['a', 'b'], ...HOST },
    });

    expect(jsonOf(bytes)).toMatchObject({ header: 'a, b' });
  });

  test.each([
    ['/api/v1/snapshots', SNAPSHOT_LIMIT_BYTES],
    ['/api/v1/devices/enroll', BODY_LIMIT_BYTES],
    ['/oauth/token', 16 * 1024],
  ])(
    'accepts at %s a body of %i bytes, and responds with payload_too_large above that',
    async (target, limit) => {
      const { ask } = await anHttpLayer();
      const post = (length: number) =>
        ask({ method: 'POST', target, headers: HOST, body: Buffer.alloc(length, 48) });

      expect((await post(limit)).status).toBe(200);
      const refused = await post(limit + 1);
      expect(refused.status).toBe(413);
      expect(jsonOf(refused.bytes)).toMatchObject({ code: 'payload_too_large' });
      expect((await post(15 * MIB)).status).toBe(413);
    },
  );

  test('counts rejected large bodies per client and then rejects them unread, but still accepts normal ones', async () => {
    const answers = [200, 200, 200, 422];
    const { ask, visitors } = await anHttpLayer(
      { render: async () => Response.json({}, { status: answers.shift() ?? 422 }) },
      // The quota of rejected large bodies is a twentieth of that of public reads.
      6,
    );
    const post = async (length: number) => {
      const body = Buffer.alloc(length, 48);
      const target = '/api/v1/snapshots';
      return (await ask({ method: 'POST', target, headers: HOST, body })).status;
    };
    const large = BODY_LIMIT_BYTES + 1;

    const statuses = [];
    for (let turn = 0; turn < 7; turn += 1) statuses.push(await post(large));

    expect(statuses).toEqual([200, 200, 200, 422, 422, 429, 429]);
    expect(visitors).toEqual([]);
    expect(await post(BODY_LIMIT_BYTES)).toBe(422);
  });

  test.each([
    ['of known length', {}],
    ['in chunks', { 'Transfer-Encoding': 'chunked' }],
  ])('reads a large body %s once, on demand, and otherwise discards it', async (_, sent) => {
    const bodies: number[] = [];
    const { ask, errors } = await anHttpLayer({
      render: async (request) => {
        if (request.url.includes('dry_run')) return Response.json({}, { status: 401 });
        bodies.push((await bytesOf(request)).length, (await request.arrayBuffer()).byteLength);
        return Response.json({});
      },
    });
    const post = async (target: string) => {
      const body = Buffer.alloc(SNAPSHOT_LIMIT_BYTES, 48);
      return (await ask({ method: 'POST', target, headers: { ...HOST, ...sent }, body })).status;
    };

    expect(await post('/api/v1/snapshots?dry_run=true')).toBe(401);
    expect(bodies).toEqual([]);
    expect(await post('/api/v1/snapshots')).toBe(200);
    expect(bodies).toEqual([SNAPSHOT_LIMIT_BYTES, SNAPSHOT_LIMIT_BYTES]);
    expect(errors).toEqual([]);
  });

  test('does not buffer a body if the operation rejects its caller', async () => {
    const { ask } = await anHttpLayer({ render: async () => Response.json({}, { status: 401 }) });
    const body = Buffer.alloc(SNAPSHOT_LIMIT_BYTES, 48);
    const post = () => ask({ method: 'POST', target: '/api/v1/snapshots', headers: HOST, body });

    // One client may hold four of them at a time.
    const all = await Promise.all(Array.from({ length: 12 }, post));

    expect(all.map(({ status }) => status)).toEqual(all.map(() => 401));
  });

  test('frees slots after any response', async () => {
    const { ask } = await anHttpLayer({
      render: async (_, { upload }) => {
        await upload.enter();
        throw new DomainError('envelope_invalid', 'none');
      },
    });
    const post = () => ask({ method: 'POST', target: '/api/v1/snapshots', headers: HOST });

    const all = await Promise.all(Array.from({ length: 20 }, post));

    expect(all.map(({ status }) => status)).toEqual(all.map(() => 422));
  });

  test('lets a page itself report that its form is too large', async () => {
    const { ask, visitors } = await anHttpLayer();
    const post = async (length: number) => {
      const body = Buffer.alloc(length, 48);
      const { bytes } = await ask({ method: 'POST', target: '/settings', headers: HOST, body });
      return jsonOf(bytes);
    };

    expect(await post(BODY_LIMIT_BYTES)).toMatchObject({ method: 'POST', body: '0'.repeat(100) });
    expect(await post(BODY_LIMIT_BYTES + 1)).toMatchObject({ method: 'POST', body: '' });
    expect(await post(12 * MIB)).toMatchObject({ method: 'POST', body: '' });
    expect(visitors.map(({ refusedBody }) => refusedBody?.code)).toEqual([
      undefined,
      'payload_too_large',
      'payload_too_large',
    ]);
  });

  test('omits the body of a GET', async () => {
    const { ask } = await anHttpLayer();

    const { bytes } = await ask({ headers: { ...HOST, 'Content-Length': '1' }, body: 'x' });

    expect(jsonOf(bytes)).toMatchObject({ method: 'GET', body: '' });
  });

  test('asks for the response to GET if only its headers are needed', async () => {
    const { ask } = await anHttpLayer({ render: async (request) => new Response(request.method) });

    const { headers, bytes } = await ask({ method: 'HEAD', target: '/login', headers: HOST });

    expect(headers['content-length']).toBe('3');
    expect(bytes).toHaveLength(0);
  });

  test.each([
    ['TRACE', '/api/v1/leaderboard', 'GET, HEAD, OPTIONS'],
    ['TRACE', '/', 'GET, HEAD, OPTIONS'],
    ['PUT', '/api/v1/devices/1', 'DELETE, OPTIONS, PATCH'],
    ['GET', '/api/v1/snapshots', 'OPTIONS, POST'],
    ['POST', '/', 'GET, HEAD, OPTIONS'],
    ['PUT', '/settings', 'GET, HEAD, OPTIONS, POST'],
  ])('responds with method_not_allowed to %s %s, with %s', async (method, target, allow) => {
    const { ask, errors } = await anHttpLayer();

    const { status, headers } = await ask({ method, target, headers: HOST });

    expect([status, headers['allow']]).toEqual([405, allow]);
    expect(errors).toEqual([]);
  });
});

describe('createHttpLayer()', () => {
  test('sends prepared bytes without rendering', async () => {
    const page = await prepare(Buffer.from('page'), { 'Content-Type': 'text/html' });
    const { ask } = await anHttpLayer({
      lookup: (address) => (address === '/page' ? page : undefined),
      render: () => Promise.reject(new Error('rendered')),
    });

    expect((await ask({ target: '/page', headers: HOST })).bytes.toString()).toBe('page');
    expect((await ask({ target: '/page', headers: HOST, method: 'HEAD' })).status).toBe(200);
    expect((await ask({ target: '/other', headers: HOST })).status).toBe(500);
  });

  test('waits for bytes that are being prepared', async () => {
    const { ask } = await anHttpLayer({ lookup: () => prepare(Buffer.from('page'), {}) });

    expect((await ask({ headers: HOST })).bytes.toString()).toBe('page');
  });

  test('creates each error per request, so that it has the right request ID', async () => {
    const memo = prepare(Buffer.from('{}'), {}, 404);
    const { ask, visitors } = await anHttpLayer({ lookup: () => memo });

    const { status, headers } = await ask({ target: '/login', headers: HOST });

    expect(status).toBe(200);
    expect(visitors.map(({ requestId }) => requestId)).toEqual([headers['x-request-id']]);
  });

  test('sends the same length of an error to HEAD as to GET', async () => {
    const { ask } = await anHttpLayer();
    const get = await ask({ target: '/api/v1/nothing', headers: HOST });
    const head = await ask({ method: 'HEAD', target: '/api/v1/nothing', headers: HOST });

    expect(get.headers['content-length']).toBe(String(get.bytes.length));
    expect(head.headers['content-length']).toBe(get.headers['content-length']);
    expect([head.status, head.bytes.length]).toEqual([404, 0]);
  });

  test('closes a connection only if an unread body remains on it', async () => {
    const { ask } = await anHttpLayer();
    const target = '/api/v1/nothing';
    const headers = { ...HOST, Connection: 'keep-alive' };

    expect((await ask({ target, headers })).headers.connection).toBe('keep-alive');
    const refused = await ask({ method: 'POST', target, headers, body: 'x' });
    expect(refused.headers.connection).toBe('close');
  });

  test('rejects a request without a host', async () => {
    const { ask } = await anHttpLayer();

    const { status, bytes } = await ask({ target: '/login', setHost: false });

    expect([status, jsonOf(bytes)]).toMatchObject([400, { code: 'request_malformed' }]);
  });

  test('hides an unexpected error, states the request ID and logs the error', async () => {
    const { ask, errors } = await anHttpLayer({
      render: () => Promise.reject(new Error('secret')),
    });

    const { status, headers, bytes } = await ask({ headers: HOST });

    expect(status).toBe(500);
    expect(bytes.toString()).not.toContain('secret');
    expect(jsonOf(bytes)).toMatchObject({
      code: 'internal_error',
      instance: `urn:uuid:${headers['x-request-id']}`,
    });
    expect(errors).toEqual([new Error('secret')]);
  });

  test('does not log expected errors, including temporary ones', async () => {
    const later = new DomainError('service_unavailable', 'Later');
    const { ask, errors } = await anHttpLayer({ render: () => Promise.reject(later) });
    await ask({ target: '//x', headers: HOST });
    expect((await ask({ headers: HOST })).status).toBe(503);

    expect(errors).toEqual([]);
  });

  test.each(['/', '//x', '/page'])(
    'puts the security headers on every response, including %s',
    async (target) => {
      const page = await prepare(gzipSync('page'), {});
      const { ask } = await anHttpLayer({ lookup: (at) => (at === '/page' ? page : undefined) });

      const { headers } = await ask({ target, headers: HOST });

      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'strict-origin-when-cross-origin',
        'content-security-policy': expect.stringContaining("default-src 'none'") as string,
      });
      expect(headers['content-security-policy']).not.toMatch(/unsafe|\*/);
      expect(headers).not.toHaveProperty('strict-transport-security');
      expect(headers).not.toHaveProperty('x-powered-by');
    },
  );

  test('requires https for a year if the board uses https', async () => {
    const { ask } = await anHttpLayer({ baseUrl: 'https://bench.example' });

    expect((await ask({ headers: HOST })).headers['strict-transport-security']).toMatch(
      /^max-age=31536000/,
    );
  });

  test.each(['localhost', 'localhost:4321', '[::1]:4321', '127.0.0.1:9'])(
    "redirects a reader on %s to the board's own address",
    async (host) => {
      const { ask } = await anHttpLayer();

      const { status, headers } = await ask({ target: '/a?b', headers: { Host: host } });

      expect([status, headers.location]).toEqual([307, `${BASE_URL}/a?b`]);
    },
  );

  test.each<[string, string, string, string?]>([
    ['its own name', '127.0.0.1:4321', 'GET'],
    ['another name', 'bench.example', 'GET'],
    ['a name with the same beginning', 'localhost.evil.example', 'GET'],
    ['a write', 'localhost:4321', 'POST'],
    ['a program', 'localhost:4321', 'GET', '/api/v1/leaderboard'],
  ])('does not redirect %s', async (_, host, method, target = '/settings') => {
    const { ask } = await anHttpLayer();

    expect((await ask({ method, target, headers: { Host: host } })).status).toBe(200);
  });

  test('never redirects to another host', async () => {
    const { ask } = await anHttpLayer();

    const { status } = await ask({ target: '//evil.example', headers: { Host: 'localhost' } });

    expect(status).toBe(404);
  });
});
