import { randomUUID } from 'node:crypto';
import {
  type IncomingMessage,
  type RequestListener,
  STATUS_CODES,
  type Server,
  type ServerResponse,
  createServer,
} from 'node:http';
import type { Duplex } from 'node:stream';
import { DomainError } from '#core/domain/text/errors.ts';
import { framingRefusal, ignoreUpgrade, watchOver } from './request/framing.ts';
import { type Health, answerProbe } from './health.ts';
import { problemHeaders, problemOf } from './response/problem.ts';
import type { Requests } from './requests.ts';
import { dataSecurity } from './response/security-headers.ts';

const SECOND_MS = 1000;

const OPTIONS = {
  /** Heads are small, so a slow one only keeps a connection busy. */
  headersTimeout: 15 * SECOND_MS,
  /** Enough for the largest body at half a megabit a second. */
  requestTimeout: 120 * SECOND_MS,
  /** Longer than proxies keep theirs. Otherwise they would send into a connection that was just closed. */
  keepAliveTimeout: 65 * SECOND_MS,
  connectionsCheckingInterval: 5 * SECOND_MS,
  // The HTTP layer rejects it itself, because node:http would answer without a problem.
  requireHostHeader: false,
};

/**
 * A client that neither sends nor reads for this long is considered gone. If a response has begun, node:http waits
 * twice as long.
 */
const STALLED_MS = 60 * SECOND_MS;

/** Answers a request. The last parameter is the request ID. */
export type Listener = (
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
) => void;

/** The listener for requests, and the base URL for error responses. */
export interface Service {
  listener: Listener;
  baseUrl: string;
}

/** What a server reports in addition to its service's responses. */
export interface Telling {
  /** Receives all requests. */
  requests: Requests;
  /** The health of the process, for probes, which bypass the service. */
  condition: () => Health;
}

/** Creates a server that also answers invalid HTTP with a problem. `service` may change. */
export function createHttpServer(service: () => Service, telling: Telling): Server {
  const server = createServer(OPTIONS);
  server.timeout = STALLED_MS;
  const listener: RequestListener = (request, response) => {
    const { listener, baseUrl } = service();
    const requestId = telling.requests.begin(request, response);
    const refusal = framingRefusal(request);
    if (refusal) {
      const { status, headers, text } = refusalParts(refusal, { baseUrl, requestId });
      response.writeHead(status, headers).end(request.method === 'HEAD' ? undefined : text);
      return;
    }
    const probe = { request, response, requestId, baseUrl };
    if (!answerProbe(probe, telling.condition)) listener(request, response, requestId);
  };
  const refuse = (error: { code?: string | undefined }, socket: Duplex) => {
    const told = sendRefusal(error, socket, service().baseUrl);
    if (told) telling.requests.refused(told.requestId, told.status);
  };
  server.on('request', listener);
  server.on('connection', (socket) => telling.requests.connected(socket));
  // Expectations other than 100-continue are ignored.
  server.on('checkExpectation', listener);
  // Only HTTP/1.1 is supported.
  server.on('upgrade', (request, socket, rest) => {
    ignoreUpgrade(request, { socket, rest }, () => server.emit('connection', socket));
  });
  // The board is not a proxy, so CONNECT is rejected.
  server.on('connect', (_, socket) => {
    watchOver(socket);
    refuse({}, socket);
    // Discards what the client still sends, so that its end is noticed.
    socket.resume();
  });
  server.on('clientError', refuse);
  return server;
}

/** Returns the response that was sent; null if the connection could not take one. */
function sendRefusal(error: { code?: string | undefined }, socket: Duplex, baseUrl: string) {
  if (error.code === 'ECONNRESET' || !socket.writable || hasBegun(socket)) {
    socket.destroy();
    return null;
  }
  const refusal = refusalOf(error.code ?? '');
  const requestId = randomUUID();
  const { status, headers, text } = refusalParts(refusal, { baseUrl, requestId });
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${text}`);
  return { requestId, status };
}

/** The response on a connection that is not read any further. */
function refusalParts(refusal: DomainError, context: { baseUrl: string; requestId: string }) {
  const { baseUrl, requestId } = context;
  const problem = problemOf(refusal, context);
  const text = JSON.stringify(problem);
  const headers = {
    ...dataSecurity(baseUrl, false),
    ...problemHeaders(problem, refusal, baseUrl),
    'X-Request-Id': requestId,
    Date: new Date().toUTCString(),
    'Content-Length': Buffer.byteLength(text),
    Connection: 'close',
  };
  return { status: problem.status, headers, text };
}

function refusalOf(code: string): DomainError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new DomainError('headers_too_large', 'The request head is larger than 16 KiB');
    case 'HPE_INVALID_VERSION':
      return new DomainError(
        'http_version_unsupported',
        'This HTTP version is not supported. Use HTTP/1.1',
      );
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new DomainError('request_timeout', 'The request was not complete in time');
    default:
      return new DomainError('request_malformed', 'Malformed HTTP request');
  }
}

/** Whether a response on this connection has begun. node:http checks the same. */
function hasBegun(socket: Duplex): boolean {
  const { _httpMessage: answer } = socket as { _httpMessage?: { headersSent: boolean } };
  return answer?.headersSent ?? false;
}
