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

/**
 * A client that for so long neither sent nor took anything is gone, or will never read its answer. Where an
 * answer had begun to leave, node:http waits this long twice.
 */
const STALLED_MS = 60 * SECOND_MS;

/** Answers a request; the last is the name by which its answer and the log call it. */
export type Listener = (
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
) => void;

/** What answers requests, and the base URL that refusals name. */
export interface Service {
  listener: Listener;
  baseUrl: string;
}

/** What a server tells besides its service's answers. */
export interface Telling {
  /** Hears of all requests. */
  requests: Requests;
  /** How the process is, for probes, which reach no service. */
  condition: () => Health;
}

/** A server that also refuses as a problem what is no acceptable HTTP. `service` may change. */
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
  // An expectation other than 100-continue is no reason to refuse.
  server.on('checkExpectation', listener);
  // Nothing but HTTP/1.1 is spoken here.
  server.on('upgrade', (request, socket, rest) => {
    ignoreUpgrade(request, { socket, rest }, () => server.emit('connection', socket));
  });
  // Nobody may tunnel through the board.
  server.on('connect', (_, socket) => {
    watchOver(socket);
    refuse({}, socket);
    // What it goes on to send is thrown away, so that its end is noticed.
    socket.resume();
  });
  server.on('clientError', refuse);
  return server;
}

/** Returns what was answered; null if the connection could take no answer. */
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

/** The answer to a connection that is not read any further. */
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
      return new DomainError('headers_too_large', 'The request head passes 16 KiB');
    case 'HPE_INVALID_VERSION':
      return new DomainError('http_version_unsupported', 'This is HTTP/1.1');
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
