import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Service, createHttpServer } from '#server/http/server.ts';
import { aTelling } from '#tests/support/http/telling.ts';

const SERVICE: Service = {
  baseUrl: 'https://bench.example',
  listener: (request, response) => response.end(`heard ${request.method}`),
};

/** Sends bytes unchanged and reads until the server closes. */
async function send(
  bytes: string,
  server = createHttpServer(() => SERVICE, aTelling()),
): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.end(bytes);
  return text(socket);
}

function partsOf(answer: string) {
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  const [line = '', ...fields] = head.split('\r\n');
  const headers = Object.fromEntries(fields.map((field) => field.toLowerCase().split(': ')));
  return { line, headers, body: JSON.parse(body) as Record<string, unknown>, length: body.length };
}

describe('createHttpServer()', () => {
  test.each([
    ['no HTTP', 'hello\r\n\r\n'],
    ['an unknown method', 'FOO / HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a request for a tunnel', 'CONNECT x:443 HTTP/1.1\r\nHost: x:443\r\n\r\n'],
    ['a header without a name', 'GET / HTTP/1.1\r\nHost: x\r\n: y\r\n\r\n'],
    [
      'two ways to state the length',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n',
    ],
  ])('responds to %s with a problem', async (_, bytes) => {
    const { line, headers, body, length } = partsOf(await send(bytes));

    expect(line).toBe('HTTP/1.1 400 Bad Request');
    expect(headers).toMatchObject({
      'content-type': 'application/problem+json; charset=utf-8',
      'content-length': String(length),
      'cache-control': 'no-store',
      connection: 'close',
      'x-content-type-options': 'nosniff',
    });
    expect(body).toMatchObject({
      status: 400,
      code: 'request_malformed',
      type: 'https://bench.example/problems/request_malformed',
      instance: `urn:uuid:${headers['x-request-id']}`,
    });
  });

  test('responds to a head that is too large with a problem', async () => {
    const { line, body } = partsOf(await send(`GET /${'x'.repeat(20_000)} HTTP/1.1\r\n\r\n`));

    expect(line).toBe('HTTP/1.1 431 Request Header Fields Too Large');
    expect(body).toMatchObject({ status: 431, code: 'headers_too_large' });
  });

  test('responds to an incomplete request with a problem', async () => {
    const server = createHttpServer(() => SERVICE, aTelling());
    const late = Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
    server.once('connection', (socket) => server.emit('clientError', late, socket));

    const { line, body } = partsOf(await send('', server));

    expect(line).toBe('HTTP/1.1 408 Request Timeout');
    expect(body).toMatchObject({ status: 408, code: 'request_timeout' });
  });

  test('responds to garbage after a valid request, once that request is answered', async () => {
    const answer = await send('GET / HTTP/1.1\r\nHost: x\r\n\r\nrubbish\r\n\r\n');

    expect(answer.match(/HTTP\/1\.1 \d+/g)?.[0]).toBe('HTTP/1.1 200');
    expect(answer).toContain('heard GET');
  });

  test('ignores an unknown expectation', async () => {
    const request = 'GET / HTTP/1.1\r\nHost: x\r\nExpect: magic\r\nConnection: close\r\n\r\n';

    expect(await send(request)).toContain('heard GET');
  });
});
