/**
 * Requests through an HTTP proxy: a tunnel (CONNECT) with TLS to the board inside, so that the proxy reads none of it.
 * Modules of Node are imported when they are needed: they would take every start of the command 15 ms.
 *
 * @module
 */
import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { Failure } from '../failure.ts';
import { unreachable } from './failure.ts';
import type { Proxy } from './proxy.ts';
import { refusedByProxy, unreachableProxy, viaProxy } from './proxy-failure.ts';

/**
 * Does what `fetch` does with `redirect: 'error'`, through a proxy.
 *
 * @throws {Failure} saying whether the proxy failed, or the board behind it.
 */
export async function fetchThrough(
  proxy: Proxy,
  url: string,
  init: RequestInit,
): Promise<Response> {
  const target = new URL(url);
  const socket = await openTunnel(proxy, target, init);
  try {
    return await ask(socket, target, init);
  } catch (error) {
    socket.destroy();
    throw viaProxy(proxy, unreachable(url, error), error);
  }
}

async function openTunnel(proxy: Proxy, target: URL, init: RequestInit): Promise<Socket> {
  const to = `${target.hostname}:${target.port || '443'}`;
  const options = { method: 'CONNECT', path: to, headers: { Host: to, ...credentials(proxy) } };
  try {
    // An agent of its own keeps no connection, and knows nothing of proxies.
    const connecting = await request(proxy.url, { ...options, ...signalIn(init), agent: false });
    return await new Promise<Socket>((resolve, reject) => {
      connecting.once('connect', (answer: IncomingMessage, socket: Socket) => {
        if (answer.statusCode === 200) return resolve(socket);
        socket.destroy();
        reject(refusedByProxy(proxy, target.hostname, answer));
      });
      connecting.once('error', reject).end();
    });
  } catch (error) {
    throw error instanceof Failure ? error : unreachableProxy(proxy, error);
  }
}

function signalIn({ signal }: RequestInit): Pick<RequestOptions, 'signal'> {
  return signal ? { signal } : {};
}

async function request(url: URL, options: RequestOptions): Promise<ClientRequest> {
  const { hostname, port, protocol } = url;
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const to = { ...options, host, ...(port !== '' && { port }) };
  if (protocol === 'http:') return (await import('node:http')).request(to);
  return (await import('node:https')).request(to);
}

function credentials({ url: { username, password } }: Proxy): { 'Proxy-Authorization'?: string } {
  if (username === '' && password === '') return {};
  const pair = [username, password].map(decoded).join(':');
  return { 'Proxy-Authorization': `Basic ${Buffer.from(pair).toString('base64')}` };
}

/** A percent sign that encodes nothing stays as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

async function ask(socket: Socket, target: URL, init: RequestInit): Promise<Response> {
  const tls = await import('node:tls');
  const { isIP } = await import('node:net');
  const host = target.hostname.replace(/^\[(.*)\]$/, '$1');
  // An address may not be asked for by SNI.
  const servername = isIP(host) > 0 ? '' : host;
  const asked = await request(target, {
    method: init.method ?? 'GET',
    path: target.pathname + target.search,
    headers: { ...Object.fromEntries(new Headers(init.headers)), Host: target.host },
    createConnection: () => tls.connect({ socket, host, servername }),
    ...signalIn(init),
  });
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    asked.once('response', resolve).once('error', reject);
    asked.end(init.body ?? undefined);
  });
  return responseOf(answer);
}

/** Statuses whose answers have no body. */
const BODILESS = [204, 205, 304];

function responseOf(answer: IncomingMessage): Response {
  const { statusCode: status = 0, headers } = answer;
  const isRedirect = status >= 300 && status < 400 && headers.location !== undefined;
  if (isRedirect) throw new Error('unexpected redirect');
  const fields = Object.entries(headers).flatMap(([name, value]) => {
    return [value ?? []].flat().map((one): [string, string] => [name, one]);
  });
  const body = BODILESS.includes(status) ? null : (Readable.toWeb(answer) as ReadableStream);
  return new Response(body, { status, headers: fields });
}
