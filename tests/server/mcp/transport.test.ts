/** Messages of unofficial clients and attackers, through HTTP layer, gate and transport. */
import type { OutgoingHttpHeaders } from 'node:http';
import type { APIContext } from 'astro';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, test, vi } from 'vitest';
import { BODY_LIMIT_BYTES, MCP_LIMIT_BYTES } from '#core/contract/limits.ts';
import { mcpEndpoint } from '#server/mcp/endpoint.ts';
import { isProtected, serverOf } from '#server/mcp/server.ts';
import { publish, testContext } from '#tests/support/board/context.ts';
import { HOST, anHttpLayer } from '../../support/http/http-layer.ts';
import type { Asked } from '#tests/support/http/loopback.ts';

const APP = 'https://app.example.org';
const JSON_TYPE = 'application/json';
const MODERN = '2026-07-28';
const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientCapabilities': {},
};

const CALL = {
  jsonrpc: '2.0',
  id: 7,
  method: 'tools/call',
  params: { name: 'get_leaderboard', arguments: { limit: 1 } },
};

/** The board's MCP server as served by the process, which also allows pages of `APP`. */
async function aServer(make = serverOf) {
  const ctx = testContext({ agents: { mcpOrigins: [APP], satellite: null } });
  publish(ctx);
  const answer = mcpEndpoint({ serverOf: make, isProtected });
  const { ask, errors } = await anHttpLayer({
    origins: { mcp: [APP], satellite: [] },
    logger: ctx.logger,
    render: async (request, visitor) =>
      answer({ request, locals: { ctx, ...visitor } } as unknown as APIContext),
  });
  const send = async (asked: Asked, headers: OutgoingHttpHeaders = {}) => {
    const told = await ask({
      method: 'POST',
      target: '/api/mcp',
      ...asked,
      headers: { ...HOST, 'Content-Type': JSON_TYPE, ...headers },
    });
    const text = told.bytes.toString();
    return { ...told, text, json: () => JSON.parse(text) as Answer };
  };
  const post = (message: unknown, headers?: OutgoingHttpHeaders) =>
    send({ body: JSON.stringify(message) }, headers);
  return { ctx, errors, send, post };
}

interface Answer {
  code?: string;
  id?: unknown;
  error?: { code: number; message: string };
  result?: { structuredContent?: { entries: unknown[] }; tools?: unknown[] };
}

/** The headers of a message of the newest revision. */
function modern(method: string, name?: string): OutgoingHttpHeaders {
  const named = name === undefined ? {} : { 'Mcp-Name': name };
  return { 'MCP-Protocol-Version': MODERN, 'Mcp-Method': method, ...named };
}

const BOTH = { Accept: 'application/json, text/event-stream' };

describe('a message gets a response', () => {
  test.each([
    ['an old client', BOTH, CALL],
    ['a new client', { ...BOTH, ...modern('tools/call', 'get_leaderboard') }, withEnvelope(CALL)],
    [
      'a new client that accepts anything',
      { ...modern('tools/call', 'get_leaderboard'), Accept: '*/*' },
      withEnvelope(CALL),
    ],
    [
      'a new client that sends no Accept header',
      modern('tools/call', 'get_leaderboard'),
      withEnvelope(CALL),
    ],
  ])('by one JSON document: %s', async (_, headers, message) => {
    const { post } = await aServer();

    const { status, headers: head, json } = await post(message, headers);

    expect([status, head['content-type']]).toEqual([200, JSON_TYPE]);
    expect(head['content-length']).toBeDefined();
    expect(json()).toMatchObject({ id: 7, result: { structuredContent: { entries: [] } } });
  });

  test('compressed if it is long and the client accepts that, and never cached', async () => {
    const { send } = await aServer();
    const list = { ...CALL, method: 'tools/list', params: {} };
    const read = { br: brotliDecompressSync, gzip: gunzipSync };
    const plain = await send({ body: JSON.stringify(list) }, BOTH);

    for (const coding of ['br', 'gzip'] as const) {
      for (const message of [list, withEnvelope(list)]) {
        const head = { ...BOTH, ...(message === list ? {} : modern('tools/list')) };
        const { headers, bytes } = await send(
          { body: JSON.stringify(message) },
          { ...head, 'Accept-Encoding': coding },
        );
        expect(headers).toMatchObject({
          'content-encoding': coding,
          'content-length': String(bytes.length),
          'content-type': JSON_TYPE,
          'cache-control': 'no-store',
          vary: 'Accept-Encoding, Origin',
        });
        expect(headers.etag).toBeUndefined();
        expect(JSON.parse(read[coding](bytes).toString())).toMatchObject({
          result: { tools: plain.json().result?.tools },
        });
      }
    }
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
    const short = await send({ body: JSON.stringify(ping) }, { ...BOTH, 'Accept-Encoding': 'br' });
    expect([plain, short].map(({ headers }) => headers['content-encoding'])).toEqual([
      undefined,
      undefined,
    ]);
  });

  test('to a page of a trusted origin, with the headers of the protocol', async () => {
    const { send, post } = await aServer();
    const Origin = APP;

    const preflight = await send(
      { method: 'OPTIONS' },
      {
        Origin,
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'authorization,content-type,mcp-method,mcp-name',
      },
    );
    const refused = await post(named('my_operator'), { ...BOTH, Origin });

    const allowed = String(preflight.headers['access-control-allow-headers']).toLowerCase();
    expect(allowed.split(', ')).toEqual(
      expect.arrayContaining([
        ...['authorization', 'content-type'],
        ...['mcp-protocol-version', 'mcp-method', 'mcp-name'],
      ]),
    );
    expect(preflight.headers['access-control-allow-methods']).toBe('OPTIONS, POST');
    for (const { headers } of [preflight, refused]) {
      expect(headers['access-control-allow-origin']).toBe(APP);
      expect(headers['access-control-expose-headers']).toContain('WWW-Authenticate');
    }
    expect(refused.status).toBe(401);
    expect(refused.headers['www-authenticate']).toContain(
      '/.well-known/oauth-protected-resource/api/mcp"',
    );
  });

  test('not to a page of another origin or for another host', async () => {
    const { post } = await aServer();

    const foreign = await post(CALL, { ...BOTH, Origin: 'https://evil.example' });
    const opaque = await post(CALL, { ...BOTH, Origin: 'null' });
    const rebound = await post(CALL, { ...BOTH, Host: 'evil.example' });

    expect([foreign.status, opaque.status, rebound.status]).toEqual([403, 403, 403]);
    expect(foreign.headers['access-control-allow-origin']).toBeUndefined();
    expect(rebound.json().code).toBe('host_not_allowed');
  });
});

describe('nothing stays open', () => {
  test('listening and ending sessions are not supported', async () => {
    const { send } = await aServer();

    for (const method of ['GET', 'HEAD', 'DELETE', 'PUT']) {
      const { status, headers } = await send({ method }, { Accept: 'text/event-stream' });
      expect([method, status, headers.allow]).toEqual([method, 405, 'OPTIONS, POST']);
    }
  });

  test('subscriptions are rejected', async () => {
    const { post } = await aServer();
    const method = 'subscriptions/listen';
    const everything = {
      toolsListChanged: true,
      promptsListChanged: true,
      resourcesListChanged: true,
      resourceSubscriptions: ['test://x'],
    };
    const listen = { jsonrpc: '2.0', id: 7, method, params: { notifications: everything } };

    const { status, json } = await post(withEnvelope(listen), { ...BOTH, ...modern(method) });
    const discover = { jsonrpc: '2.0', id: 8, method: 'server/discover', params: {} };
    const told = await post(withEnvelope(discover), { ...BOTH, ...modern(discover.method) });

    expect(status).toBe(404);
    expect(json()).toMatchObject({ id: 7, error: { code: -32601 } });
    expect(told.json()).toMatchObject({
      result: { capabilities: { tools: { listChanged: false } } },
    });
  });
});

const NO_MESSAGES: [string, string | Uint8Array, number][] = [
  ['nothing', '', -32700],
  ['no JSON', '{"jsonrpc"', -32700],
  ['no UTF-8', Buffer.from([0x22, 0xff, 0x22]), -32700],
  ['the same key twice', '{"method":"tools/list","method":"tools/call"}', -32700],
  ['an empty batch', '[]', -32600],
  ['a batch of 500', JSON.stringify(Array.from({ length: 500 }, () => CALL)), -32600],
  ['brackets that are never closed', '['.repeat(60_000), -32700],
  ['very deep lists', '['.repeat(30_000) + ']'.repeat(30_000), -32700],
  ['very deep arguments', deepCall(), -32700],
];

/** A call with deeply nested arguments. */
function deepCall(): string {
  const deep = '{"a":'.repeat(10_000) + '1' + '}'.repeat(10_000);
  return JSON.stringify(CALL).replace('{"limit":1}', deep);
}

const NO_REQUESTS: [string, unknown][] = [
  ['null', null],
  ['a number', 7],
  ['a text', 'tools/call'],
  ['an object', {}],
  ['an invalid method', { jsonrpc: '2.0', id: 1, method: 7 }],
  ['an invalid ID', { ...CALL, id: {} }],
  ['invalid parameters', { ...CALL, params: 'x' }],
  ['another JSON-RPC', { ...CALL, jsonrpc: '1.0' }],
];

/** Content types that a page can send to any site without preflight, or that only resemble JSON. */
const OTHER_TYPES = ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonx', ''];

describe('an invalid message is rejected', () => {
  test('with a protocol error, and the next one gets a response', async () => {
    const { ctx, errors, send, post } = await aServer();
    const warned = vi.spyOn(ctx.logger, 'warn');

    for (const [what, body, code] of NO_MESSAGES) {
      const { status, json } = await send({ body }, BOTH);
      expect(status, what).toBe(400);
      expect(json(), what).toMatchObject({ jsonrpc: '2.0', id: null, error: { code } });
    }
    for (const [what, message] of NO_REQUESTS) {
      const { status } = await post(message, BOTH);
      expect(status, what).toBe(400);
    }
    expect((await post(CALL, BOTH)).status).toBe(200);
    // Header and body name different methods.
    const { status } = await post(withEnvelope(CALL), { ...BOTH, ...modern('tools/list') });
    expect(status).toBe(400);
    expect([...errors, ...ctx.errors, ...warned.mock.calls]).toEqual([]);
  });

  test('and an internal error is logged and reveals nothing', async () => {
    const fault = new Error('the secret of the board');
    const { ctx, post } = await aServer(() => {
      throw fault;
    });

    const old = await post(CALL, BOTH);
    const current = await post(withEnvelope(CALL), {
      ...BOTH,
      ...modern('tools/call', 'get_leaderboard'),
    });

    expect([old.status, current.status]).toEqual([500, 500]);
    expect(old.text + current.text).not.toContain('secret');
    expect(ctx.errors).toEqual([fault, fault]);
  });

  test('before it is read if it is not declared as JSON', async () => {
    const { post } = await aServer();

    for (const type of OTHER_TYPES) {
      const { status, headers, json } = await post(CALL, { ...BOTH, 'Content-Type': type });
      expect([status, json().code], type).toEqual([415, 'unsupported_media_type']);
      expect(headers['accept']).toBe(JSON_TYPE);
    }
  });

  test('if it exceeds the limit by one byte', async () => {
    const { send } = await aServer();
    const padded = JSON.stringify(CALL).padEnd(MCP_LIMIT_BYTES + 1);

    const large = await send({ body: padded }, BOTH);

    expect([large.status, large.json().code]).toEqual([413, 'payload_too_large']);
  });

  test('before it is parsed if it exceeds 64 KiB without a token', async () => {
    const { send } = await aServer();
    const parsed = vi.spyOn(JSON, 'parse');
    const padded = JSON.stringify(CALL).padEnd(BODY_LIMIT_BYTES);

    const fits = await send({ body: padded }, BOTH);
    parsed.mockClear();
    const large = await send({ body: `${padded} ` }, BOTH);

    expect(parsed).not.toHaveBeenCalled();
    expect(fits.status).toBe(200);
    expect([large.status, large.json().code]).toEqual([401, 'unauthenticated']);
  });
});

function named(name: string) {
  return { ...CALL, params: { name } };
}

function withEnvelope(message: { params: object }) {
  return { ...message, params: { ...message.params, _meta: ENVELOPE } };
}
