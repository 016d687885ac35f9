import { once } from 'node:events';
import { type IncomingMessage, request as requestOf } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { getCorpus } from '#core/contract/corpus.ts';
import type { Route } from '#core/contract/route.ts';
import { replyTo } from '#server/http/response/reply.ts';
import { anHttpLayer } from '#tests/support/http/http-layer.ts';
import { loopback } from '#tests/support/http/loopback.ts';
import { sendStream } from '#server/http/response/stream.ts';

const PIECE = `${'x'.repeat(64 * 1024 - 1)}\n`;
/** More than the buffers and sockets along the way can hold. */
const MANY = 2000;

/** This many chunks, and how many were produced. Fails after `fail` of them. */
function making(count: number, failAt = Infinity) {
  const made = { pieces: 0, ended: false };
  function* pieces(): Generator<string> {
    try {
      for (; made.pieces < count; made.pieces += 1) {
        if (made.pieces === failAt) throw new Error('broken');
        yield PIECE;
      }
    } finally {
      made.ended = true;
    }
  }
  return { made, pieces: pieces() };
}

function answerOf(pieces: Iterable<string>): Response {
  const url = new URL('http://127.0.0.1/api/v1/corpus');
  return replyTo(getCorpus as unknown as Route, { pieces }, { url, format: undefined });
}

const HEAD = { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store' };

/** Serves such streams. `connect` reads the head of one and leaves the rest for later. */
async function serving(make: () => Iterable<string>, client = 'somebody') {
  const failures: unknown[] = [];
  const refusals: unknown[] = [];
  let port = 0;
  const ask = await loopback((request, response) => {
    port = request.socket.localPort ?? 0;
    const failed = (error: unknown) => void failures.push(error);
    const streaming = { request, response, client, more: [['Vary', 'Accept-Encoding']], failed };
    sendStream(streaming, answerOf(make())).catch((error: unknown) => {
      refusals.push(error);
      response.writeHead(429).end();
    });
  });
  await ask({ method: 'HEAD' });
  const connect = async (): Promise<IncomingMessage> => {
    const sent = requestOf({ host: '127.0.0.1', port, agent: false }).end();
    return (await once(sent, 'response'))[0] as IncomingMessage;
  };
  return { ask, connect, failures, refusals };
}

async function until(fits: () => boolean): Promise<void> {
  for (let turns = 0; turns < 50_000 && !fits(); turns += 1) await setImmediate();
}

describe('sendStream()', () => {
  test("sends all chunks, with the response's headers and additional ones", async () => {
    const { ask } = await serving(() => making(3).pieces);

    const { status, headers, bytes } = await ask();

    expect(status).toBe(200);
    expect(headers).toMatchObject({ ...HEAD, vary: 'Accept-Encoding' });
    expect(headers['content-disposition']).toBe('attachment; filename="corpus.ndjson"');
    expect(bytes.toString()).toBe(PIECE.repeat(3));
  });

  test('compresses them for clients that accept gzip', async () => {
    const { ask } = await serving(() => making(3).pieces);

    const { headers, bytes } = await ask({ headers: { 'Accept-Encoding': 'br, gzip' } });

    expect(headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(bytes).toString()).toBe(PIECE.repeat(3));
  });

  test('produces nothing for HEAD', async () => {
    const { made, pieces } = making(3);
    const { headers, bytes } = await (await serving(() => pieces)).ask({ method: 'HEAD' });

    expect(headers).toMatchObject(HEAD);
    expect(bytes).toHaveLength(0);
    expect(made.pieces).toBe(0);
  });

  test('produces no more than the client reads, and stops when it leaves', async () => {
    let { made, pieces } = making(0);
    const { connect, failures, refusals } = await serving(() => {
      ({ made, pieces } = making(MANY));
      return pieces;
    });

    const response = await connect();
    let before = -1;
    await until(() => before === (before = made.pieces) && before > 0);
    for (let turns = 0; turns < 2000; turns += 1) await setImmediate();
    const stalled = made.pieces;
    response.destroy();
    await until(() => made.ended);

    expect(stalled).toBeLessThan(MANY / 4);
    expect(made).toEqual({ pieces: expect.any(Number) as number, ended: true });
    expect(made.pieces).toBeLessThan(MANY / 2);
    expect([failures, refusals]).toEqual([[], []]);
  });

  test('aborts and reports why if a chunk cannot be produced', async () => {
    const { ask, failures } = await serving(() => making(5, 2).pieces);

    await expect(ask()).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(failures).toEqual([new Error('broken')]);
  });

  test('rejects a client with four streams in progress, until one of them ends', async () => {
    const { ask, connect, refusals } = await serving(() => making(MANY).pieces, 'greedy');
    const others = await Promise.all([1, 2, 3, 4].map(() => connect()));

    expect((await ask()).status).toBe(429);
    expect(refusals).toEqual([expect.objectContaining({ code: 'quota_exceeded' })]);
    others.forEach((response) => response.destroy());
    await until(() => others.every(({ destroyed }) => destroyed));
    for (let turns = 0; turns < 2000; turns += 1) await setImmediate();
    const again = await connect();
    expect(again.statusCode).toBe(200);
    again.destroy();
  });
});

describe('the HTTP layer', () => {
  const key = { 'X-API-Key': 'ob_1' };
  const readKey = () => ({ id: 'k', per_minute: 1 });

  test('streams as the contract says, and counts by the key', async () => {
    const { ask } = await anHttpLayer({ readKey, render: async () => answerOf(making(2).pieces) });

    const first = await ask({ target: '/api/v1/corpus', headers: key });
    const second = await ask({ target: '/api/v1/corpus', headers: key });

    expect(first.headers['content-length']).toBeUndefined();
    expect(first.headers.ratelimit).toMatch(/^"key";r=0;t=\d+$/);
    expect(first.bytes.toString()).toBe(PIECE.repeat(2));
    expect(second.status).toBe(429);
  });

  test('sends an error as one response', async () => {
    const refused = () => Response.json({ code: 'query_invalid' }, { status: 400 });
    const { ask } = await anHttpLayer({ readKey, render: async () => refused() });

    const { status, headers } = await ask({ target: '/api/v1/corpus', headers: key });

    expect(status).toBe(400);
    expect(headers['content-length']).toBe('24');
  });
});
