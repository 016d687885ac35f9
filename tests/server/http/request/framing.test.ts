import { once } from 'node:events';
import { type AddressInfo, type Socket, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Service, createHttpServer } from '#server/http/server.ts';
import { aRequest, statusesIn } from '#tests/support/http/slow-client.ts';
import { aTelling } from '#tests/support/http/telling.ts';

/** Responds with the requested address and the body, after a pause. */
const ECHO: Service = {
  baseUrl: 'https://bench.example',
  listener: (request, response) => {
    void text(request).then(async (body) => {
      await setImmediate();
      response.end(`[${request.method} ${request.url} ${body}]`);
    });
  },
};

/** A listening server, and a function that connects to it. */
async function aServer(service = ECHO) {
  const server = createHttpServer(() => service, aTelling());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { server, dial: () => connect(port, '127.0.0.1') };
}

/** Sends bytes and reads until the server closes the connection. */
async function say(bytes: string): Promise<string> {
  const { dial } = await aServer();
  const socket = dial();
  socket.write(bytes);
  return text(socket);
}

/** Never responds. */
const MUTE: Service = { ...ECHO, listener: () => undefined };
const WISH = { Connection: 'Upgrade, HTTP2-Settings', Upgrade: 'h2c', 'HTTP2-Settings': 'AA' };

/** Requests after which node:http hands a connection over, by event. */
const HANDED_OVER = [
  ['connect', 'CONNECT other.example:443 HTTP/1.1\r\nHost: other.example:443\r\n\r\n'],
  ['upgrade', aRequest('GET /one') + aRequest('GET /two', WISH)],
] as const;

/** A connection that node:http handed over: the client's end, and the state of the server's. */
async function handedOver(event: string, bytes: string, timeoutMs = 60_000) {
  const { server, dial } = await aServer(MUTE);
  server.timeout = timeoutMs;
  const client = dial().on('error', () => undefined);
  client.write(bytes);
  const [[served]] = (await Promise.all([once(server, 'connection'), once(server, event)])) as [
    [Socket],
    unknown,
  ];
  const closed = new Promise<void>((resolve) => served.once('close', () => resolve()));
  return { client, served, closed };
}

const POST = 'POST /one';
const CHUNKS = '3\r\nabc\r\n0\r\n\r\n';
const NEXT = aRequest('GET /next', { Connection: 'close' });
const coded = (coding: string) => aRequest(POST, { 'Transfer-Encoding': coding }, CHUNKS);
const withVersion = (version: string) => aRequest('GET /one').replace('HTTP/1.1', version);

describe('createHttpServer()', () => {
  test.each([
    [400, 'two Host fields', aRequest('GET /one', { host: 'b' })],
    [400, 'two equal Host fields', aRequest('GET /one', { HOST: 'board.example' })],
    [400, 'chunked not as the last coding', coded('chunked, gzip')],
    [400, 'chunked twice', coded('chunked, chunked')],
    [400, 'a coding with a parameter', coded('chunked;a=b')],
    [400, 'a coding without a name', coded(',chunked')],
    [400, 'no chunks', aRequest(POST, { 'Transfer-Encoding': 'identity' })],
    [400, 'chunks in HTTP/1.0', coded('chunked').replace('HTTP/1.1', 'HTTP/1.0')],
    [501, 'chunks of gzip', coded('gzip, chunked')],
    [501, 'chunks after an identity coding', coded('identity, chunked')],
    [505, 'HTTP/0.9', withVersion('HTTP/0.9')],
    [505, 'HTTP/2.0', withVersion('HTTP/2.0')],
    [505, 'HTTP/3.0', withVersion('HTTP/3.0')],
  ])('responds with %i to %s, and to nothing after it', async (status, _, bytes) => {
    const answer = await say(bytes + NEXT);

    expect(statusesIn(answer)).toEqual([status]);
    expect(answer).toMatch(/^connection: close$/im);
    expect(answer).toContain('application/problem+json');
    expect(answer).not.toContain('next');
  });

  test.each([
    ['one Host', aRequest(POST, { 'Content-Length': '3' }, 'abc')],
    ['chunks', coded('chunked')],
    ['CHUNKS', coded('Chunked')],
  ])('accepts %s, and what follows', async (_, bytes) => {
    expect(await say(bytes + NEXT)).toMatch(/\[POST \/one abc\].*\[GET \/next \]$/s);
  });

  test('responds to a request for another protocol, and to those before and after it', async () => {
    const wishes = [
      aRequest('GET /two', WISH),
      aRequest('POST /three', { ...WISH, 'Content-Length': '3' }, 'abc'),
      aRequest('POST /four', { ...WISH, 'Transfer-Encoding': 'chunked' }, CHUNKS),
    ];

    const answer = await say(aRequest('GET /one') + aRequest('GET /1') + wishes.join('') + NEXT);

    expect(statusesIn(answer)).toEqual([200, 200, 200, 200, 200, 200]);
    expect(answer.match(/\[.*?\]/g)).toEqual([
      '[GET /one ]',
      '[GET /1 ]',
      '[GET /two ]',
      '[POST /three abc]',
      '[POST /four abc]',
      '[GET /next ]',
    ]);
  });

  test.each(HANDED_OVER)('survives a client that resets a connection: %s', async (event, bytes) => {
    const { client, served, closed } = await handedOver(event, bytes);

    expect(served.listenerCount('error')).toBeGreaterThan(0);
    client.resetAndDestroy();
    await closed;
  });

  test.each(HANDED_OVER)('ends a connection that stalls: %s', async (event, bytes) => {
    const { closed } = await handedOver(event, bytes, 50);

    await closed;
  });

  test('forgets its state of a connection before each request for another protocol', async () => {
    const { server, dial } = await aServer();
    const socket = dial();
    socket.write(aRequest('GET /one', WISH).repeat(30) + NEXT);
    const [served] = (await once(server, 'connection')) as [Socket];
    const most = () => Math.max(...served.eventNames().map((name) => served.listenerCount(name)));
    let listeners = 0;
    served.on('newListener', () => (listeners = Math.max(listeners, most())));

    expect(statusesIn(await text(socket))).toHaveLength(31);
    expect(listeners).toBeLessThan(6);
  });
});
