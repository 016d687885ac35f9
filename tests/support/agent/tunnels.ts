/** A board behind TLS and a proxy to it, on loopback. Names need no resolver, because the proxy resolves them. */
import { readFileSync } from 'node:fs';
import { type IncomingMessage, createServer as createHttp, request } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { type AddressInfo, type Server, type Socket, connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

/** A long-lived certificate for this name, and its file. Only these tests trust it. */
export const TLS_HOST = 'bench.test';
export const CERTIFICATE = fileURLToPath(new URL('../../fixtures/tls/cert.pem', import.meta.url));
const KEY = fileURLToPath(new URL('../../fixtures/tls/key.pem', import.meta.url));
const tls = { cert: readFileSync(CERTIFICATE), key: readFileSync(KEY) };

/** Listens on a free port until the end of the test. */
async function listening(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** Terminates TLS in front of a board, like a reverse proxy. */
export async function aTlsFront(): Promise<{ port: number; forwardTo(url: string): void }> {
  let board = '';
  const server = createHttps(tls, (incoming, outgoing) => {
    const { url = '', method, headers } = incoming;
    const asked = request(board + url, { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    asked.on('error', () => outgoing.destroy());
    incoming.pipe(asked);
  });
  return { port: await listening(server), forwardTo: (url) => void (board = url) };
}

/** The response of a proxy that does not open a tunnel. */
export interface ProxyRefusal {
  status: number;
  headers?: Readonly<Record<string, string>>;
}

export interface ConnectProxy {
  port: number;
  /** The hosts and ports of requested tunnels. */
  asked: string[];
  /** Their values of Proxy-Authorization. */
  credentials: (string | undefined)[];
  /** Responds with this from now on; null for tunnels. */
  refuse(refusal: ProxyRefusal | null): void;
}

/** A proxy whose tunnels all lead to one port on loopback. */
export async function aConnectProxy(toPort: number, isSecure = false): Promise<ConnectProxy> {
  const asked: string[] = [];
  const credentials: (string | undefined)[] = [];
  let refusal: ProxyRefusal | null = null;
  const server = isSecure ? createHttps(tls) : createHttp();
  server.on('connect', ({ url = '', headers }: IncomingMessage, client: Socket, head: Buffer) => {
    asked.push(url);
    credentials.push(headers['proxy-authorization']);
    client.on('error', () => undefined);
    if (refusal) {
      const fields = Object.entries(refusal.headers ?? {}).map(
        ([name, value]) => `${name}: ${value}`,
      );
      client.end([`HTTP/1.1 ${refusal.status} No`, ...fields, '', ''].join('\r\n'));
      return;
    }
    const onward = connect(toPort, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      onward.write(head);
      client.pipe(onward).pipe(client);
    });
    onward.on('error', () => client.destroy());
  });
  return {
    port: await listening(server),
    asked,
    credentials,
    refuse: (one) => void (refusal = one),
  };
}
