import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FUZZING, FUZZING_MS, mutatedBytes } from '#tests/support/fuzz/arbitrary-mutation.ts';
import { type RunningServer, sharedServer } from '#tests/support/http/server.ts';
import { aRequest, aSlowClient, statusesIn } from '#tests/support/http/slow-client.ts';
import { processCpuMs } from '#tests/support/board/time.ts';

/** Would return a recognizable 404 if the server ever treated it as a request. */
const SMUGGLED = aRequest('GET /smuggled');
const CHUNKED = { 'Transfer-Encoding': 'chunked' };
const JSON_TYPE = { 'Content-Type': 'application/json' };
const POST = 'POST /api/v1/snapshots';

const LAST = { Connection: 'close' };

/** Sends bytes on a separate connection and returns everything until the server closes it. */
async function say(url: string, bytes: string | Uint8Array): Promise<string> {
  const client = await aSlowClient(url);
  client.send(bytes);
  return client.closed();
}

/**
 * The same for several connections, each of which may leave the server waiting for more. Disconnects when the server
 * has responded to others and sent nothing more. By then it has read them, however busy the computer is.
 */
async function mumble(url: string, each: readonly Uint8Array[]): Promise<string[]> {
  const clients = await Promise.all(each.map(() => aSlowClient(url)));
  clients.forEach((client, at) => client.send(each[at] ?? ''));
  const lengthOfAll = () => clients.reduce((sum, client) => sum + client.received().length, 0);
  let before: number;
  do {
    before = lengthOfAll();
    for (let probes = 0; probes < PROBES; probes += 1) {
      await (await fetch(`${url}/where-am-i`)).arrayBuffer();
    }
  } while (lengthOfAll() > before);
  clients.forEach(({ socket }) => socket.destroy());
  return clients.map((client) => client.received());
}

/** The number of other pages rendered before a connection is considered silent. */
const PROBES = 2;

/** The server runs and logged no failure. */
async function expectSound({ url, log }: RunningServer): Promise<void> {
  expect((await fetch(`${url}/robots.txt`)).status).toBe(200);
  expect(log()).not.toContain('"level":"error"');
}

/** Bytes that two servers in a row must not interpret differently. */
const AMBIGUOUS: readonly (readonly [what: string, bytes: string, status?: number])[] = [
  ['two hosts', aRequest('GET /', { host: 'other.example' }, SMUGGLED)],
  [
    'a coding inside the chunks',
    aRequest(POST, { 'Transfer-Encoding': 'gzip, chunked' }, `0\r\n\r\n${SMUGGLED}`),
    501,
  ],
  ['a version with other syntax', `GET / HTTP/2.0\r\nHost: a\r\n\r\n${SMUGGLED}`, 505],
  [
    'a length and chunks',
    aRequest(POST, { 'Content-Length': '5', ...CHUNKED }, `0\r\n\r\n${SMUGGLED}`),
  ],
  [
    'chunks and a length',
    aRequest(POST, { ...CHUNKED, 'Content-Length': '5' }, `0\r\n\r\n${SMUGGLED}`),
  ],
  [
    'two lengths',
    aRequest(POST, { 'Content-Length': '0', 'content-length': `${SMUGGLED.length}` }, SMUGGLED),
  ],
  ['a list of lengths', aRequest(POST, { 'Content-Length': '0, 5' }, SMUGGLED)],
  ['a length with a sign', aRequest(POST, { 'Content-Length': '+0' }, SMUGGLED)],
  ['a length in hex', aRequest(POST, { 'Content-Length': '0x0' }, SMUGGLED)],
  ['a length above the maximum', aRequest(POST, { 'Content-Length': '9'.repeat(30) }, SMUGGLED)],
  ['a coding other than chunks', aRequest(POST, { 'Transfer-Encoding': 'xchunked' }, SMUGGLED)],
  [
    'chunks, but not at the end',
    aRequest(POST, { 'Transfer-Encoding': 'chunked, identity' }, `0\r\n\r\n${SMUGGLED}`),
  ],
  ['a space before the colon', aRequest(POST, { 'Content-Length ': '0' }, SMUGGLED)],
  ['a folded field', aRequest(POST, { 'X-Folded': 'a\r\n Content-Length: 5' }, SMUGGLED)],
  ['a NUL in a value', aRequest('GET /', { 'X-Nul': 'a\0b' }, SMUGGLED)],
  ['a NUL in a name', aRequest('GET /', { 'X-\0': 'a' }, SMUGGLED)],
  ['a bare CR in a value', aRequest('GET /', { 'X-Cr': 'a\rContent-Length: 5' }, SMUGGLED)],
  ['a chunk whose size is a number too large', aRequest(POST, CHUNKED, `${'F'.repeat(17)}\r\n`)],
  ['a chunk with an invalid size', aRequest(POST, CHUNKED, `0x5\r\nhello\r\n${SMUGGLED}`)],
  ['a chunk that is longer than it says', aRequest(POST, CHUNKED, `1\r\nab\r\n${SMUGGLED}`)],
  ['an extension without an end', aRequest(POST, CHUNKED, `1;${'x'.repeat(40_000)}\r\na\r\n`)],
  ['a version that does not exist', 'GET / HTTP/9.9\r\nHost: a\r\n\r\n', 505],
  ['a tab in the request line', 'GET\t/ HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['a target that is not text', 'GET /\xff\x00 HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
  ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
];

/** Requests that leave something unread, or are unusual but valid. The next request must be a separate one. */
const LEFT_OVER: readonly (readonly [what: string, bytes: string])[] = [
  ['a GET with a body', aRequest('GET /robots.txt', { 'Content-Length': '9' }, 'GET /smug')],
  ['a HEAD with a body', aRequest('HEAD /', { 'Content-Length': '9' }, 'GET /smug')],
  ['a body that is not expected', aRequest('POST /none', { 'Content-Length': '9' }, 'GET /smug')],
  ['a body of a wrong type', aRequest(POST, { 'Content-Length': '9' }, 'GET /smug')],
  [
    'a form that is too large',
    aRequest('POST /login/link', { 'Content-Length': '300000' }, 'x'.repeat(300_000)),
  ],
  [
    'a body after "Expect: 100-continue"',
    aRequest(POST, { Expect: '100-continue', 'Content-Length': '9' }, 'GET /smug'),
  ],
  [
    'chunks with extensions and trailers',
    aRequest(POST, { ...CHUNKED, ...JSON_TYPE }, '2;a="b"\r\n{}\r\n0;x\r\nX-Late: 1\r\n\r\n'),
  ],
  ['an unsupported method', aRequest('DELETE /', { 'Content-Length': '9' }, 'GET /smug')],
  ['empty lines', '\r\n\r\n'],
];

/** Header fields that Opbench or a library reads. */
const FIELDS = [
  'Accept',
  'Accept-Encoding',
  'Accept-Language',
  'Access-Control-Request-Headers',
  'Authorization',
  'Content-Encoding',
  'Content-Type',
  'Cookie',
  'Expect',
  'Forwarded',
  'Host',
  'Idempotency-Key',
  'If-Modified-Since',
  'If-None-Match',
  'MCP-Protocol-Version',
  'Mcp-Method',
  'Origin',
  'Range',
  'Referer',
  'Sec-Fetch-Site',
  'TE',
  'User-Agent',
  'X-API-Key',
  'X-Forwarded-For',
  'X-Forwarded-Proto',
];
const WORST = [
  ' ',
  ', ',
  ';q=0',
  ';a="',
  '=',
  '%41',
  '\\"',
  'a',
  '1.',
  'A-',
  '\xff',
  '[',
  'Bearer ',
  'a=b; ',
];
const TARGETS = ['GET /', 'POST /api/mcp', 'GET /api/v1/me', 'GET /llms.txt', 'GET /login'];
/** The rest announces more data, which is never sent. */
const LEAST_SHARE = 0.75;
/** Simultaneous connections. */
const AT_ONCE = 25;
/** The processor time in milliseconds that a request may cost the server. None here takes a hundredth of it. */
const MOST_CPU_MS = 2_000;
/** The server's response after waiting for more in vain. */
const TIMED_OUT = 408;

/** Rejects ambiguous requests, and accepts nothing after them. */
async function expectNoAmbiguity({ url }: RunningServer): Promise<void> {
  for (const [what, bytes, status = 400] of AMBIGUOUS) {
    const answer = await say(url, Buffer.from(bytes, 'latin1'));

    expect(statusesIn(answer), what).toEqual([status]);
    expect(answer.toLowerCase(), what).toContain('connection: close');
  }
}

/** Never treats leftover bytes as a request. */
async function expectNothingLeftOver({ url }: RunningServer): Promise<void> {
  const robots = await (await fetch(`${url}/robots.txt`)).text();
  for (const [what, bytes] of LEFT_OVER) {
    const answer = await say(url, bytes + aRequest('GET /robots.txt', LAST));

    const statuses = statusesIn(answer);
    expect(statuses.length, what).toBeGreaterThanOrEqual(1);
    expect(answer, what).not.toMatch(/smug/);
    expect(
      statuses.filter((status) => status >= 500),
      what,
    ).toEqual([]);
    // Either the next request was handled normally, or the connection was closed before it.
    const isRefused = statuses.every((status) => status >= 400);
    if (!isRefused) expect(answer.endsWith(robots), what).toBe(true);
  }
}

/** Responds to each of several requests on a connection, in order. */
async function expectOrder({ url }: RunningServer): Promise<void> {
  const lines = ['GET /robots.txt', 'GET /none', 'HEAD /', 'GET /api/v1/none', 'GET /robots.txt'];
  const wish = aRequest('GET /none', { Connection: 'Upgrade', Upgrade: 'websocket' });

  const answer = await say(
    url,
    lines.map((line) => aRequest(line)).join('') + wish + aRequest('GET /', LAST),
  );

  expect(statusesIn(answer)).toEqual([200, 404, 200, 404, 200, 404, 200]);
}

/** Responses to bytes that only look like HTTP/1.1. */
const NOT_HTTP = new Set([501, 505]);

/** Survives any bytes, and responds to most. */
async function expectSurvival({ url }: RunningServer): Promise<void> {
  const sound = [
    aRequest('GET /?a=b', { Accept: 'text/html;q=0.9', Cookie: 'session=a', Range: 'bytes=0-' }),
    aRequest('GET /api/v1/leaderboard?limit=3&cursor=1.2.3.4', { 'If-None-Match': 'W/"a", *' }),
    aRequest('POST /api/mcp', { 'Content-Length': '2', ...JSON_TYPE }, '{}'),
    aRequest(POST, { ...CHUNKED, ...JSON_TYPE }, '2\r\n{}\r\n0\r\n\r\n'),
    aRequest('GET /operators/ada.md', { Authorization: 'Bearer a.b.c', 'X-API-Key': 'ob_1_2' }),
  ].map((text) => Buffer.from(text));
  const pair = fc
    .tuple(mutatedBytes(sound), mutatedBytes(sound))
    .map((each) => Buffer.concat(each));
  const talks = { all: 0, answered: 0 };

  await fc.assert(
    fc.asyncProperty(fc.array(pair, { minLength: AT_ONCE, maxLength: AT_ONCE }), async (bytes) => {
      const answers = (await mumble(url, bytes)).map(statusesIn);
      const failures = answers.flat().filter((status) => status >= 500 && !NOT_HTTP.has(status));
      expect(failures).toEqual([]);
      talks.all += answers.length;
      talks.answered += answers.filter(({ length }) => length > 0).length;
    }),
    { ...FUZZING, numRuns: Math.ceil(FUZZING.numRuns / AT_ONCE) },
  );
  expect(talks.answered / talks.all).toBeGreaterThan(LEAST_SHARE);
}

const aServer = sharedServer(() => ({
  env: { TRUST_PROXY: 'loopback', REFRESH_SECONDS: '3600' },
}));

describe('the built server', { timeout: FUZZING_MS }, () => {
  test('interprets bytes in one way or not at all, and survives any', async () => {
    const server = await aServer();

    await expectNoAmbiguity(server);
    await expectNothingLeftOver(server);
    await expectOrder(server);
    await expectSurvival(server);
    await expectSound(server);
  });

  test('responds to every hostile header field in time, and never fails', async () => {
    const server = await aServer();
    for (const field of FIELDS) {
      for (const [at, letters] of WORST.entries()) {
        const value = `br${letters.repeat(Math.floor(15_000 / letters.length))}x`;
        const line = TARGETS[at % TARGETS.length] ?? '';
        const bytes = Buffer.from(aRequest(line, { [field]: value, ...LAST }), 'latin1');
        const before = processCpuMs(server.pid);

        const [status = 0] = statusesIn(await say(server.url, bytes));

        const asked = `${line}, ${field}: br${letters}…`;
        expect(status, asked).toBeGreaterThanOrEqual(200);
        expect(status, asked).toBeLessThan(500);
        expect(status, asked).not.toBe(TIMED_OUT);
        expect(processCpuMs(server.pid) - before, asked).toBeLessThan(MOST_CPU_MS);
      }
    }
    await expectSound(server);
  });
});
