/**
 * Requests through an HTTP proxy: a tunnel (CONNECT) with TLS to the board inside, which the proxy cannot read.
 * Node's modules are imported only when needed, because they would add 15 ms to every start.
 *
 * @module
 */
import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { plain } from '#core/domain/text/terminal-text.ts';
import { Failure, EXIT } from '../failure.ts';
import type { Proxy } from '../proxy.ts';
import { unreachable, causeOf } from './failure.ts';

/**
 * Like `fetch` with `redirect: 'error'`, but through a proxy.
 *
 * @throws {Failure} that says whether the proxy or the board behind it failed.
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
    // Without an agent, no connection is kept and Node's own proxy settings have no effect.
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

/** Decodes percent-encoding. Text with an invalid percent sign is returned unchanged. */
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
  // SNI does not allow IP addresses.
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

function unreachableProxy(proxy: Proxy, error: unknown): Failure {
  const { reason } = causeOf(error);
  const message = `The proxy ${proxy.shown} (${proxy.variable}) cannot be reached: ${reason}`;
  const hint = `Check ${proxy.variable} and the network, then run the command again.`;
  return unheard(new Failure(EXIT.network, message, hint), true);
}

function refusedByProxy(proxy: Proxy, host: string, answer: IncomingMessage): Failure {
  const { statusCode: status = 0, headers } = answer;
  if (status === 407) return unheard(signInFailure(proxy, headers['proxy-authenticate']), false);
  const message = `The proxy ${proxy.shown} did not connect to ${plain(host)} (status ${status})`;
  const hint = `Ask the admin of the proxy to allow ${plain(host)}, or add it to NO_PROXY.`;
  return unheard(new Failure(EXIT.network, message, hint), status >= 500);
}

function signInFailure({ url, shown, variable }: Proxy, schemes: string | string[] = ''): Failure {
  if (!/\bbasic\b/i.test(String(schemes)) && String(schemes) !== '') {
    const message = `The proxy ${shown} requires a sign-in that opbench does not support (status 407)`;
    const hint = `Point ${variable} at a local proxy that signs in for you, such as Px or Cntlm.`;
    return new Failure(EXIT.network, message, hint);
  }
  const isGiven = url.username !== '' || url.password !== '';
  const message = isGiven
    ? `The proxy ${shown} rejected the user name and password in ${variable} (status 407)`
    : `The proxy ${shown} requires a user name and password (status 407)`;
  const hint = `Set ${variable} to http://USER:PASSWORD@HOST:PORT, with special characters percent-encoded.`;
  return new Failure(EXIT.network, message, hint);
}

/** Error codes for the certificate of a proxy that inspects TLS. */
const UNTRUSTED = /SELF_SIGNED|UNABLE_TO_(GET_ISSUER|VERIFY_LEAF)/;

/** The error for a failure behind the proxy: of the board, or on the way to it. */
function viaProxy({ shown, variable }: Proxy, failure: Failure, error: unknown): Failure {
  const { code } = causeOf(error);
  const hint = UNTRUSTED.test(code)
    ? 'If the proxy inspects TLS, set NODE_EXTRA_CA_CERTS to the path of its certificate.'
    : failure.hint;
  const message = `${failure.message} (through the proxy ${shown}, ${variable})`;
  const told = new Failure(EXIT.network, message, hint);
  return Object.assign(told, { isPassing: failure.isPassing, isUnheard: failure.isUnheard });
}

function unheard(failure: Failure, isPassing: boolean): Failure {
  return Object.assign(failure, { isPassing, isUnheard: true });
}
