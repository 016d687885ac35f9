import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Client } from '#agent/board/client.ts';
import { durationText } from '#agent/text/figures.ts';
import { type Fetch, Wire } from '#agent/board/wire.ts';
import { MINUTE_MS, NOW_MS } from '#tests/support/board/builders.ts';
import { PATIENCE_MS } from '#tests/support/board/time.ts';

const BOARD = 'https://bench.example.org';
const PROBLEM = { code: 'quota_exceeded', detail: 'Too many' };

function answering(status: number, headers: Record<string, string>, body: object = PROBLEM): Fetch {
  return () => Promise.resolve(Response.json(body, { status, headers }));
}

function http(ms: number): string {
  return new Date(ms).toUTCString();
}

/** The result of a request. */
async function failureOf(fetch: Fetch, nowMs = NOW_MS) {
  return new Wire(fetch, () => nowMs).ask(`${BOARD}/api/v1/me`, {}).catch((error: Error) => error);
}

describe('Retry-After', () => {
  test.each([
    ['seconds', '30', 30, 'Try again in 30 seconds.'],
    ['a date', http(NOW_MS + 30_000), 30, 'Try again in 30 seconds.'],
    ['a date in the past', http(NOW_MS - 30_000), 0, 'Try again in 0 seconds.'],
    ['a long wait', '600', 600, 'Try again in 10 minutes, at 2026-03-10 12:10 UTC.'],
    ['no time', 'soon', null, 'Try again later.'],
  ])('of %s', async (_, retryAfter, seconds, hint) => {
    const failure = await failureOf(answering(429, { 'retry-after': retryAfter }));

    expect(failure).toMatchObject({ retryAfterSeconds: seconds, hint, isPassing: true });
  });

  test('a date is interpreted with the clock of the board', async () => {
    const hourAgo = NOW_MS - 60 * MINUTE_MS;
    const headers = { date: http(hourAgo), 'retry-after': http(hourAgo + 30_000) };

    const failure = await failureOf(answering(503, headers, {}));

    expect(failure).toMatchObject({ retryAfterSeconds: 30, exitCode: 4, isPassing: true });
  });
});

describe('temporary errors', () => {
  test.each([
    [500, true],
    [502, true],
    [408, true],
    [429, true],
    [400, false],
    [404, false],
    [422, false],
  ])('%i: %s', async (status, isPassing) => {
    expect(await failureOf(answering(status, {}))).toMatchObject({ isPassing });
  });

  test('include network errors and truncated responses', async () => {
    const broken = new ReadableStream({ start: (stream) => stream.error(new Error('reset')) });

    expect(await failureOf(() => Promise.reject(new TypeError('no route')))).toMatchObject({
      isPassing: true,
      exitCode: 4,
    });
    expect(await failureOf(() => Promise.resolve(new Response(broken)))).toMatchObject({
      isPassing: true,
      message: `${BOARD} cannot be reached: reset`,
    });
  });
});

test.each([
  ['asked', (wire: Wire, url: string) => wire.ask(url, { method: 'POST', body: 'signed' })],
  [
    'read as a file',
    (wire: Wire, url: string) => wire.open(url, { signal: AbortSignal.timeout(PATIENCE_MS) }),
  ],
])('a redirect to %s is not followed', async (_, ask) => {
  const paths: (string | undefined)[] = [];
  const board = createServer(({ url }, answer) => {
    paths.push(url);
    if (url === '/elsewhere') answer.end('{}');
    else answer.writeHead(307, { Location: '/elsewhere' }).end();
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void board.close());
  await once(board, 'listening');
  const { port } = board.address() as AddressInfo;

  const asking = ask(new Wire(fetch, Date.now), `http://127.0.0.1:${port}/board`);

  await expect(asking).rejects.toMatchObject({ exitCode: 4 });
  expect(paths).toEqual(['/board']);
});

describe('the clock of a board', () => {
  test('is read from any response, for the middle of the exchange', async () => {
    let nowMs = NOW_MS;
    const slow: Fetch = async () => {
      nowMs += 2000;
      return Response.json({ keys: [] }, { headers: { date: http(NOW_MS - 90_000) } });
    };
    const client = new Client(slow, () => nowMs);

    expect(await client.clock(BOARD)).toBe(90_500);
    expect(client.skewMs(BOARD)).toBe(90_500);
    expect(client.skewMs('https://other.example.org')).toBeNull();
  });

  test('is not taken from a cached response', async () => {
    const headers = { date: http(NOW_MS - 60 * MINUTE_MS), age: '3600' };
    const stored = answering(200, headers, { keys: [] });

    await expect(new Client(stored, () => NOW_MS).clock(BOARD)).rejects.toThrow(
      `${BOARD} sends no time`,
    );
  });

  test.each([
    ['token_invalid', 61_000, /clock is 62 seconds behind/],
    ['token_invalid', 50_000, /No/],
    ['snapshot_stale', 9 * MINUTE_MS, /No/],
    ['snapshot_stale', 11 * MINUTE_MS, /clock is 11 minutes behind/],
    ['key_unknown', 60 * MINUTE_MS, /No/],
  ])('explains %s when it is %i ms apart: %s', async (code, apart, message) => {
    const headers = { date: http(NOW_MS + apart) };

    const failure = await failureOf(answering(401, headers, { code, detail: 'No' }));

    expect(failure).toMatchObject({ code, message: expect.stringMatching(message) });
  });

  test('shows a fault once, without the hint about parameters', async () => {
    const fault = { pointer: '#/tool', code: 'value', detail: 'no such tool' };
    const hint = 'The faults name each parameter.';
    const detail = 'tool: no such tool';
    const of = (code: string, faults: object[]) =>
      failureOf(answering(400, {}, { code, detail, hint, errors: faults }));

    expect(await of('query_invalid', [fault])).toMatchObject({
      message: expect.stringMatching(/\(query_invalid\): tool: no such tool$/),
      hint: null,
    });
    const other = { ...fault, pointer: '#/limit', detail: 'too many' };
    expect(await of('body_invalid', [fault, other])).toMatchObject({
      message: expect.stringMatching(/\(body_invalid\): tool: no such tool; #\/limit: too many$/),
      hint,
    });
  });
});

test.each([
  [400, '1 second'],
  [119_001, '120 seconds'],
  [120_001, '3 minutes'],
  [7_200_000, '120 minutes'],
  [7_200_001, '3 hours'],
])('a length of %i ms is %s', (ms, text) => {
  expect(durationText(ms)).toBe(text);
});
