/** A real HTTP server on loopback, and requests that no client library normalizes. */
import {
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type RequestListener,
  createServer,
  request,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface Asked {
  method?: string;
  /** The request target as it appears in the request line. */
  target?: string;
  headers?: OutgoingHttpHeaders;
  body?: string | Uint8Array;
  /** Whether a Host header is sent if `headers` has none. Default: true. */
  setHost?: boolean;
}

export interface Answered {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
}

/** Serves until the end of the test. Returns a function that sends a request to it. */
export async function loopback(
  listener: RequestListener,
): Promise<(asked?: Asked) => Promise<Answered>> {
  const server = createServer({ requireHostHeader: false }, listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  });
  const { port } = server.address() as AddressInfo;
  return (asked = {}) => ask(port, asked);
}

function ask(port: number, asked: Asked) {
  const { method = 'GET', target = '/', headers, body, setHost = true } = asked;
  return new Promise<Answered>((resolve, reject) => {
    const place = { host: '127.0.0.1', port, path: target, agent: false };
    const options = { ...place, method, headers, setHost };
    const sent = request(options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const { statusCode: status = 0, headers: got } = response;
        resolve({ status, headers: got, bytes: Buffer.concat(chunks) });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
