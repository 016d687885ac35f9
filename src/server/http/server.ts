import { randomUUID } from 'node:crypto';
import { type RequestListener, STATUS_CODES, type Server, createServer } from 'node:http';
import type { Duplex } from 'node:stream';
import { DomainError } from '#core/domain/errors.ts';
import { problemHeaders, problemOf } from './problem.ts';
import { dataSecurity } from './security-headers.ts';

const SECOND_MS = 1000;

const OPTIONS = {
  /** A head is small: who takes longer keeps a connection busy for nothing. */
  headersTimeout: 15 * SECOND_MS,
  /** The largest body over a slow line, at half a megabit a second. */
  requestTimeout: 120 * SECOND_MS,
  /** Longer than proxies keep theirs, which would else send into a connection just closed. */
  keepAliveTimeout: 65 * SECOND_MS,
  connectionsCheckingInterval: 5 * SECOND_MS,
  // The front refuses it itself: node:http would answer without a problem.
  requireHostHeader: false,
};

/** What answers requests, and the base URL that refusals name. */
export interface Service {
  listener: RequestListener;
  baseUrl: string;
}

/** A server that also refuses as a problem what is no acceptable HTTP. `service` may change. */
export function createHttpServer(service: () => Service): Server {
  const server = createServer(OPTIONS);
  const listener: RequestListener = (request, response) => service().listener(request, response);
  server.on('request', listener);
  // An expectation other than 100-continue is no reason to refuse.
  server.on('checkExpectation', listener);
  // Nobody may tunnel through the board.
  server.on('connect', (_, socket) => refuse({}, socket, service().baseUrl));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    refuse(error, socket, service().baseUrl);
  });
  return server;
}

function refuse(error: { code?: string | undefined }, socket: Duplex, baseUrl: string): void {
  if (error.code === 'ECONNRESET' || !socket.writable || hasBegun(socket)) {
    socket.destroy();
    return;
  }
  const refusal = refusalOf(error.code ?? '');
  const requestId = randomUUID();
  const problem = problemOf(refusal, { baseUrl, requestId });
  const text = JSON.stringify(problem);
  const headers = {
    ...dataSecurity(baseUrl, false),
    ...problemHeaders(problem, refusal, baseUrl),
    'X-Request-Id': requestId,
    Date: new Date().toUTCString(),
    'Content-Length': Buffer.byteLength(text),
    Connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const { status } = problem;
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${text}`);
}

function refusalOf(code: string): DomainError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new DomainError('headers_too_large', 'The request head passes 16 KiB');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new DomainError('request_timeout', 'The request did not arrive in time');
    default:
      return new DomainError('request_malformed', 'The bytes are no HTTP request');
  }
}

/** Whether an answer is already on its way on this connection; node:http asks the same. */
function hasBegun(socket: Duplex): boolean {
  const { _httpMessage: answer } = socket as { _httpMessage?: { headersSent: boolean } };
  return answer?.headersSent ?? false;
}
