import { once } from 'node:events';
import {
  type ClientRequest,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  createServer,
  request as ask,
} from 'node:http';
import { type AddressInfo, type Socket, createServer as createSocketServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { WriterProxy } from '#server/reader/writer-proxy.ts';
import { whenOver } from '#tests/support/board/cleanup.ts';

const HOST = 'bench.example.org';

async function listening(listener: RequestListener): Promise<{ server: Server; url: string }> {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  whenOver(() => {
    server.closeAllConnections();
    server.close();
  });
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** A proxy in front of a writer, and the lines that it logs. */
async function aProxy(url: string, limits = { connectMs: 5000, idleMs: 5000 }) {
  const events: string[] = [];
  const note = (event: string) => void events.push(event);
  const proxy = new WriterProxy({ url, limits, logger: { info: note, warn: note } });
  whenOver(() => proxy.stop());
  const front = await listening((request, response) => {
    const refuse = ({ code }: { code: string }) => void response.writeHead(503).end(code);
    proxy.forward({ request, response, host: HOST, refuse });
  });
  return { ...front, proxy, events };
}

async function answerTo(request: ClientRequest) {
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  return { status: answer.statusCode, headers: answer.headersDistinct, body: await text(answer) };
}

const get = (url: string, headers = {}) => answerTo(ask(url, { headers, agent: false }).end());

describe('WriterProxy', () => {
  test('never lets a client hide the length of a body, so that its body becomes another request', async () => {
    const asked: (string | undefined)[] = [];
    const writer = await listening((request, response) => {
      asked.push(request.url);
      request.resume().once('end', () => response.end('ok'));
    });
    const { url } = await aProxy(writer.url);
    const body = `GET /hidden HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`;
    const headers = { Connection: 'close, content-length', 'Content-Length': body.length };
    expect((await answerTo(ask(`${url}/open`, { headers, agent: false }).end(body))).status).toBe(
      200,
    );
    // The same connection again.
    expect((await get(`${url}/next`)).status).toBe(200);
    expect(asked).toEqual(['/open', '/next']);
  });

  test('passes on a request for the public address with the address of the client', async () => {
    const writer = await listening((request, response) => {
      const { method, url, headers } = request;
      void text(request).then((body) => {
        response.end(JSON.stringify({ method, url, headers, body }));
      });
    });
    const { url } = await aProxy(writer.url);
    const request = ask(`${url}/api/v1/snapshots?dry_run=true`, {
      method: 'POST',
      agent: false,
      headers: {
        Connection: 'close, X-Hop',
        'X-Hop': '1',
        TE: 'trailers',
        'X-Forwarded-For': '198.51.100.7',
        Cookie: 'a=b',
        Via: '2 cdn.example (Caddy)',
        'X-Kept': '2',
      },
    });
    const { body } = await answerTo(request.end('text'));

    const { headers, ...asked } = JSON.parse(body) as { headers: Record<string, string> };
    expect(asked).toEqual({ method: 'POST', url: '/api/v1/snapshots?dry_run=true', body: 'text' });
    expect(headers).toEqual({
      host: HOST,
      'x-forwarded-for': '198.51.100.7, 127.0.0.1',
      'content-length': '4',
      cookie: 'a=b',
      via: '2 cdn.example (Caddy), 1.1 opbench+reader',
      'x-kept': '2',
    });
  });

  test('passes back status and headers, except those of the connection', async () => {
    const writer = await listening((_, response) => {
      response.setHeader('Connection', 'X-Hop, close');
      response.setHeader('X-Hop', '1');
      response.writeHead(201, ['Set-Cookie', 'a=1', 'Set-Cookie', 'b=2', 'X-Kept', '3']).end('ok');
    });
    const { url } = await aProxy(writer.url);
    const { status, headers, body } = await get(url);

    expect([status, body]).toEqual([201, 'ok']);
    expect(headers['set-cookie']).toEqual(['a=1', 'b=2']);
    expect(headers['x-kept']).toEqual(['3']);
    expect(headers['x-hop']).toBeUndefined();
  });

  test('streams in both directions', async () => {
    const writer = await listening((request, response) => {
      response.writeHead(200);
      request.on('data', (bytes: Buffer) => response.write(bytes));
      request.on('end', () => response.end());
    });
    const { url } = await aProxy(writer.url);
    const request = ask(url, { method: 'POST', agent: false });
    request.write('one');
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    const [first] = (await once(answer, 'data')) as [Buffer];
    request.write('two');
    const [second] = (await once(answer, 'data')) as [Buffer];
    request.end();
    await once(answer, 'end');

    expect([String(first), String(second)]).toEqual(['one', 'two']);
  });

  test('ends the request to the writer when the client leaves', async () => {
    const asked = Promise.withResolvers<IncomingMessage>();
    const writer = await listening((request) => asked.resolve(request));
    const { url } = await aProxy(writer.url);
    const request = ask(url, { agent: false }).on('error', () => undefined);
    request.end();
    const atWriter = await asked.promise;
    request.destroy();

    await once(atWriter.socket, 'close');
  });

  test('cuts off a response that the writer cuts off', async () => {
    const writer = await listening((_, response) => {
      response.writeHead(200, { 'Content-Length': '9' });
      response.write('half', () => response.destroy());
    });
    const { url } = await aProxy(writer.url);

    await expect(get(url)).rejects.toThrow();
  });

  test('refuses while the writer is down, and logs it once', async () => {
    const writer = await listening((_, response) => response.end('ok'));
    const { url, proxy, events } = await aProxy(writer.url);
    writer.server.close();
    writer.server.closeAllConnections();
    const { port } = new URL(writer.url);
    const refused = [await get(url), await get(url)].map(({ status, body }) => [status, body]);

    expect(refused).toEqual([
      [503, 'service_unavailable'],
      [503, 'service_unavailable'],
    ]);
    expect([events, proxy.failures, proxy.state]).toEqual([
      ['writer_unreachable'],
      2,
      'unreachable',
    ]);
    const again = createServer((_, response) => response.end('ok')).listen(+port, '127.0.0.1');
    whenOver(() => void again.close());
    await once(again, 'listening');
    expect(await get(url)).toMatchObject({ status: 200, body: 'ok' });
    expect(events).toEqual(['writer_unreachable', 'writer_recovered']);
  });

  test('logs once that the writer is a reader, and passes back what that one answers', async () => {
    const statuses = [508, 508, 200];
    const writer = await listening((_, response) => {
      response.writeHead(statuses.shift() ?? 200).end('text');
    });
    const { url, proxy, events } = await aProxy(writer.url);
    expect(await get(url)).toMatchObject({ status: 508, body: 'text' });
    await get(url);

    expect([events, proxy.failures, proxy.state]).toEqual([['writer_loop'], 2, 'loop']);
    await get(url);
    expect([events, proxy.state]).toEqual([['writer_loop', 'writer_recovered'], 'ok']);
  });

  test('repeats a read on a connection that the writer just closed, but no write', async () => {
    const answers = ['first', 'again'];
    const sockets = new Set<Socket>();
    // Answers one request on each connection, and resets it when there is another.
    const server = createSocketServer((socket) => {
      sockets.add(socket);
      let asked = 0;
      socket
        .on('error', () => undefined)
        .on('data', () => {
          asked += 1;
          if (asked > 1) return void socket.resetAndDestroy();
          const body = answers.shift() ?? 'more';
          socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
        });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    whenOver(() => void server.close());
    const { url } = await aProxy(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);

    expect(await get(url)).toMatchObject({ body: 'first' });
    expect(await get(url)).toMatchObject({ status: 200, body: 'again' });
    const post = ask(url, { method: 'POST', agent: false }).end('x');
    expect(await answerTo(post)).toMatchObject({ status: 503 });
    sockets.forEach((socket) => socket.destroy());
  });

  test('gives up on a writer that does not answer in time', async () => {
    const held: ServerResponse[] = [];
    const writer = await listening((_, response) => void held.push(response));
    const { url } = await aProxy(writer.url, { connectMs: 5000, idleMs: 50 });

    expect(await get(url)).toMatchObject({ status: 503, body: 'service_unavailable' });
  });
});
