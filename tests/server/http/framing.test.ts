import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Service, createHttpServer } from '#server/http/server.ts';
import { aRequest, statusesIn } from '#tests/support/slow-client.ts';
import { aTelling } from '#tests/support/telling.ts';

/** Answers with what was asked for, and with its body; at leisure. */
const ECHO: Service = {
  baseUrl: 'https://bench.example',
  listener: (request, response) => {
    void text(request).then(async (body) => {
      await setImmediate();
      response.end(`[${request.method} ${request.url} ${body}]`);
    });
  },
};

/** Sends bytes and reads until the server ends the connection. */
async function say(bytes: string): Promise<string> {
  const server = createHttpServer(() => ECHO, aTelling());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(bytes);
  return text(socket);
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
    [400, 'chunks that are not the last coding', coded('chunked, gzip')],
    [400, 'chunks in chunks', coded('chunked, chunked')],
    [400, 'a coding with a parameter', coded('chunked;a=b')],
    [400, 'a coding without a name', coded(',chunked')],
    [400, 'no chunks', aRequest(POST, { 'Transfer-Encoding': 'identity' })],
    [400, 'chunks in HTTP/1.0', coded('chunked').replace('HTTP/1.1', 'HTTP/1.0')],
    [501, 'chunks of gzip', coded('gzip, chunked')],
    [501, 'chunks of what was never told', coded('identity, chunked')],
    [505, 'HTTP/0.9', withVersion('HTTP/0.9')],
    [505, 'HTTP/2.0', withVersion('HTTP/2.0')],
    [505, 'HTTP/3.0', withVersion('HTTP/3.0')],
  ])('answers %i to %s, and nothing after it', async (status, _, bytes) => {
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
  ])('takes %s, and what follows', async (_, bytes) => {
    expect(await say(bytes + NEXT)).toMatch(/\[POST \/one abc\].*\[GET \/next \]$/s);
  });

  test('answers a request that wishes for another protocol, those before it and those after it', async () => {
    const wish = { Connection: 'Upgrade, HTTP2-Settings', Upgrade: 'h2c', 'HTTP2-Settings': 'AA' };
    const wishes = [
      aRequest('GET /two', wish),
      aRequest('POST /three', { ...wish, 'Content-Length': '3' }, 'abc'),
      aRequest('POST /four', { ...wish, 'Transfer-Encoding': 'chunked' }, CHUNKS),
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
});
