import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { RequestLogging } from '#server/config/config.ts';
import { type RequestLine, drain } from '#server/http/requests.ts';
import { type Listener, createHttpServer } from '#server/http/server.ts';
import { eventually } from '#tests/support/http/server.ts';
import { aTelling } from '#tests/support/http/telling.ts';

interface Line {
  status: number | null;
  [field: string]: unknown;
}

/** A server with this listener, and the lines that it logs. */
async function aServer(listener: Listener, logging: RequestLogging = 'all') {
  const lines: Line[] = [];
  const telling = aTelling({
    logging,
    add: (line) => void lines.push(JSON.parse(line) as Line),
    routeOf: (target) => (target.startsWith('/known') ? '/known/*' : 'other'),
  });
  const { requests } = telling;
  const service = { listener, baseUrl: 'https://bench.example' };
  const server = createHttpServer(() => service, telling);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { server, requests, lines, port, url: `http://127.0.0.1:${port}` };
}

const answering =
  (status: number): Listener =>
  (_request, response, requestId) =>
    void response.writeHead(status, { 'X-Request-Id': requestId }).end('x');

/** Waits until this many lines exist, because they are written after the response was sent. */
const linesOf = (lines: Line[], count: number) =>
  eventually(
    () => Promise.resolve(lines),
    ({ length }) => length >= count,
  );

/** Resolves once a request is being handled. */
const underWay = (server: Server) => once(server, 'request');

describe('Requests', () => {
  test('passes each request that is over to its watcher, also if it logs none', async () => {
    const { url, lines, requests, port } = await aServer(answering(201), 'none');
    const seen: RequestLine[] = [];
    requests.watch((line) => void seen.push(line));

    await (await fetch(`${url}/known/ada?token=secret`, { method: 'PUT', body: 'b' })).text();
    await (await fetch(`${url}/readyz`)).text();
    await text(connect(port, '127.0.0.1').end('nonsense\r\n\r\n'));

    await eventually(
      () => Promise.resolve(seen),
      ({ length }) => length >= 2,
    );
    expect(seen).toEqual([
      expect.objectContaining({ route: '/known/*', method: 'PUT', status: 201, isAborted: false }),
      expect.objectContaining({ route: '-', method: '-', status: 400 }),
    ]);
    expect(lines).toEqual([]);
  });

  test('logs each request with its route, result and duration, under its request ID', async () => {
    const { url, lines } = await aServer(answering(201));

    const answer = await fetch(`${url}/known/ada?token=secret`, { method: 'POST', body: 'b' });
    await answer.text();

    const [line] = await linesOf(lines, 1);
    expect(line).toEqual({
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
      level: 'info',
      event: 'request',
      request: answer.headers.get('x-request-id'),
      method: 'POST',
      route: '/known/*',
      status: 201,
      ms: expect.any(Number) as number,
    });
    expect(line?.['request']).toMatch(/^[0-9a-f-]{36}$/);
  });

  test.each([
    [200, 'info'],
    [404, 'info'],
    [500, 'error'],
    [503, 'warn'],
  ])('logs a %i as %s', async (status, level) => {
    const { url, lines } = await aServer(answering(status));

    await (await fetch(url)).text();

    expect(await linesOf(lines, 1)).toMatchObject([{ status, level }]);
  });

  test('logs only failures, or nothing, if configured so', async () => {
    const byPath: Listener = ({ url = '' }, response) =>
      void response.writeHead(Number(url.slice(1))).end();
    const some = await aServer(byPath, 'errors');
    const none = await aServer(byPath, 'none');

    for (const { url } of [some, none]) {
      for (const status of [500, 200, 404, 503]) await (await fetch(`${url}/${status}`)).text();
    }

    expect((await linesOf(some.lines, 2)).map(({ status }) => status)).toEqual([500, 503]);
    expect(none.lines).toEqual([]);
  });

  test('logs that a client left before the response was complete', async () => {
    const { port, lines } = await aServer((_, response) => {
      response.writeHead(200).write('half');
    });
    const silent = await aServer(() => undefined);

    for (const at of [port, silent.port]) {
      const socket = connect(at, '127.0.0.1');
      await once(socket, 'connect');
      const begun = at === port ? once(socket, 'data') : underWay(silent.server);
      socket.write('GET /known HTTP/1.1\r\nHost: x\r\n\r\n');
      await begun;
      socket.destroy();
    }

    expect(await linesOf(lines, 1)).toMatchObject([{ status: 200, aborted: true }]);
    expect(await linesOf(silent.lines, 1)).toMatchObject([{ status: null, aborted: true }]);
  });

  test('logs invalid HTTP, but none of its content', async () => {
    const { port, lines } = await aServer(answering(200));
    const socket = connect(port, '127.0.0.1');

    socket.end('ada@example.org secret\r\n\r\n');
    const answer = await text(socket);

    const [line] = await linesOf(lines, 1);
    expect(line).toMatchObject({ method: '-', route: '-', status: 400, ms: 0 });
    expect(answer).toContain(`X-Request-Id: ${String(line?.['request'])}`);
  });
});

describe('drain()', () => {
  test('finishes requests in progress, closes idle connections, and accepts no new ones', async () => {
    let finish: () => unknown = () => undefined;
    const { server, requests, port, url } = await aServer((_, response) => {
      finish = () => response.writeHead(200).end('done');
    });
    const idle = connect(port, '127.0.0.1');
    await once(idle, 'connect');
    const begun = underWay(server);
    const asked = fetch(url);
    await begun;

    const drained = drain(server, requests, 60_000);
    await once(idle.resume(), 'close');
    await expect(fetch(url)).rejects.toThrow();
    finish();
    const answer = await asked;

    expect(answer.headers.get('connection')).toBe('close');
    expect(await answer.text()).toBe('done');
    await drained;
  });

  test('cuts off requests that take longer than the grace period', async () => {
    const { server, requests, port } = await aServer(() => undefined);
    const begun = underWay(server);
    const socket = connect(port, '127.0.0.1');
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhalf');
    await begun;

    await drain(server, requests, 100);

    await once(socket.resume(), 'close');
  });
});
