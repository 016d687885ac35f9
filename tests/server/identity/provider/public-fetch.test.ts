import { type RequestListener, createServer, request as requestPlainly } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  DEADLINE_MS,
  type PublicFetchParts,
  createPublicFetch,
} from '#server/identity/provider/public-fetch.ts';
import { isPublicAddress } from '#server/process/public-address.ts';

const DOCUMENT = 'https://app.example.org/client.json';

/** A local server that counts its connections. */
async function aServer(answer: RequestListener) {
  const server = createServer(answer);
  const seen = { connections: 0, hosts: [] as (string | undefined)[] };
  server.on('connection', () => void (seen.connections += 1));
  server.on('request', ({ headers }) => void seen.hosts.push(headers.host));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { seen, port: (server.address() as AddressInfo).port };
}

/** A fetch with its own clock, on which resolving the name takes a while. */
function aFetch(port: number, over: Partial<PublicFetchParts> = {}, resolvingMs = 300) {
  const clock = { ms: 0, waited: 0 };
  let waits = 0;
  const asked: string[] = [];
  const parts: Partial<PublicFetchParts> = {
    resolve: async (hostname) => {
      asked.push(hostname);
      clock.ms += resolvingMs;
      return ['127.0.0.1'];
    },
    isPublic: () => true,
    // In place of TLS on port 443.
    request: ((url: URL, options: object, take: never) =>
      requestPlainly(`http://${url.host}${url.pathname}`, { ...options, port }, take)) as never,
    nowMs: () => clock.ms,
    wait: (ms) => {
      waits += 1;
      // Replaces the deadline, which nothing here exceeds.
      if (waits === 1) return new Promise(() => undefined);
      clock.waited = ms;
      return Promise.resolve();
    },
    ...over,
  };
  return { fetch: createPublicFetch(parts), clock, asked };
}

describe('createPublicFetch()', () => {
  test('connects to the address that was checked, and resolves the name once', async () => {
    const { port, seen } = await aServer((_, response) => {
      response.setHeader('Cache-Control', 'max-age=60').end('{"a":1}');
    });
    const { fetch, asked } = aFetch(port);

    const answer = await fetch(DOCUMENT, { headers: { accept: 'application/json' } });

    expect(answer.headers.get('cache-control')).toBe('max-age=60');
    await expect(answer.json()).resolves.toEqual({ a: 1 });
    expect(seen).toEqual({ connections: 1, hosts: [expect.stringContaining('app.example.org')] });
    expect(asked).toEqual(['app.example.org']);
  });

  test.each([
    ['one private address', ['127.0.0.1']],
    ['a private address among public ones', ['1.1.1.1', '2606:4700::1111', '10.0.0.1']],
    ['no address', []],
  ])('never connects if the name has %s', async (_, addresses) => {
    const { port, seen } = await aServer((_, response) => response.end());
    const { fetch } = aFetch(port, {
      resolve: () => Promise.resolve(addresses),
      isPublic: isPublicAddress,
    });

    await expect(fetch(DOCUMENT)).rejects.toThrow('not public');
    expect(seen.connections).toBe(0);
  });

  test.each([
    ['a private address', (port: number) => `https://127.0.0.1:${port}/`, 'port 443'],
    ['another port', (port: number) => `https://app.example.org:${port}/`, 'port 443'],
    ['plain http', () => 'http://app.example.org/', 'port 443'],
    ['loopback', () => 'https://127.0.0.1/', 'not public'],
    ['loopback in IPv6', () => 'https://[::ffff:7f00:1]/', 'not public'],
    ['loopback in decimal', () => 'https://2130706433/', 'not public'],
  ])('never connects to %s', async (_, urlAt, message) => {
    const { port, seen } = await aServer((_, response) => response.end());
    const { fetch, asked } = aFetch(port, { isPublic: isPublicAddress });

    await expect(fetch(urlAt(port))).rejects.toThrow(message);
    expect([seen.connections, asked]).toEqual([0, []]);
  });

  test.each<[string, RequestListener | null, Partial<PublicFetchParts>, number]>([
    ['an unknown name', null, { resolve: () => Promise.reject(new Error('ENOTFOUND')) }, 0],
    ['a private address', null, { isPublic: isPublicAddress }, 300],
    ['a closed port', null, {}, 300],
    ['a closed port, found slowly', null, {}, 2_000],
    ['a server that hangs up', (request) => request.socket.destroy(), {}, 300],
    ['a redirect', (_, response) => response.writeHead(302, { Location: '/' }).end(), {}, 300],
    ['a missing document', (_, response) => response.writeHead(404).end(), {}, 300],
    ['a response that is too large', (_, response) => response.end('x'.repeat(70_000)), {}, 300],
  ])('fails at the deadline for %s', async (_, answer, over, resolvingMs) => {
    const port = answer ? (await aServer(answer)).port : 1;
    const { fetch, clock } = aFetch(port, over, resolvingMs);

    await expect(fetch(DOCUMENT)).rejects.toThrow();

    expect(clock.ms + clock.waited).toBe(DEADLINE_MS);
  });

  test('fails at the deadline without a response', async () => {
    const { port } = await aServer(() => undefined);
    const late = Promise.withResolvers<undefined>();
    const { fetch } = aFetch(port, {
      wait: () => late.promise,
    });

    const fetching = fetch(DOCUMENT);
    late.resolve(undefined);

    await expect(fetching).rejects.toThrow('in time');
  });
});
