import { type ClientRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import * as http from 'node:http';
import * as https from 'node:https';
import { PROBLEMS } from '#core/contract/problems.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import { LOOP_WORDS, type WriterState } from '../http/health.ts';
import type { Logger } from '../process/logger.ts';
import { requestHeaders, responseHeaders } from './forwarded-headers.ts';

const SECOND_MS = 1000;

/** Time limits in milliseconds. */
export interface ProxyLimits {
  /** Until there is a connection. */
  connectMs: number;
  /** Without a byte in either direction. The writer allows a request to take two minutes. */
  idleMs: number;
}

const LIMITS: ProxyLimits = { connectMs: 5 * SECOND_MS, idleMs: 130 * SECOND_MS };

const AGENT = { keepAlive: true, maxSockets: 512, timeout: LIMITS.idleMs };

interface ProxyOptions {
  /** The origin of the writer. */
  url: string;
  logger: Pick<Logger, 'info' | 'warn'>;
  limits?: ProxyLimits;
}

/** A reader answers a request of a reader with this status. The writer never does. */
const LOOP_DETECTED = PROBLEMS.loop_detected.status;

/** A request on its way to the writer. */
interface Forwarded {
  request: IncomingMessage;
  response: ServerResponse;
  /** Host and port of the public address. */
  host: string;
  /** Answers the client if the writer does not. */
  refuse: (error: DomainError) => void;
}

/** Passes requests on to the writer, and its responses back, as they come. */
export class WriterProxy {
  /** Requests that the writer did not answer. */
  failures = 0;
  readonly #options: ProxyOptions;
  readonly #origin: URL;
  readonly #agent: http.Agent;
  #state: WriterState = 'ok';

  constructor(options: ProxyOptions) {
    this.#options = options;
    this.#origin = new URL(options.url);
    this.#agent = this.#isSecure ? new https.Agent(AGENT) : new http.Agent(AGENT);
  }

  get state(): WriterState {
    return this.#state;
  }

  forward(forwarded: Forwarded): void {
    const { request, response } = forwarded;
    const upstream = this.#ask(request, forwarded.host);
    const leave = () => upstream.destroy();
    response.once('close', leave);
    upstream.once('response', (answer) => {
      this.#note(answer.statusCode === LOOP_DETECTED ? 'loop' : 'ok');
      passBack(answer, response);
    });
    upstream.on('error', (error: NodeJS.ErrnoException) => {
      request.unpipe(upstream);
      response.off('close', leave);
      if (response.headersSent || response.destroyed) return void response.destroy();
      if (isWorthRepeating(error, upstream, request)) return this.forward(forwarded);
      this.#note('unreachable', error.code ?? error.message);
      forwarded.refuse(unanswered());
    });
    request.pipe(upstream);
  }

  /** Closes the connections. Requests in progress end. */
  stop(): void {
    this.#agent.destroy();
  }

  get #isSecure(): boolean {
    return this.#origin.protocol === 'https:';
  }

  #ask(request: IncomingMessage, host: string): ClientRequest {
    const { limits = LIMITS } = this.#options;
    const { protocol, hostname, port } = this.#origin;
    const upstream = (this.#isSecure ? https : http).request({
      agent: this.#agent,
      protocol,
      hostname: hostname.replace(/^\[(.*)\]$/, '$1'),
      port,
      method: request.method ?? 'GET',
      path: request.url ?? '/',
      headers: requestHeaders(request, host),
      setDefaultHeaders: false,
      servername: hostname,
    });
    upstream.setTimeout(limits.idleMs, () => upstream.destroy(timeout()));
    upstream.once('socket', (socket) => {
      if (!socket.connecting) return;
      const timer = setTimeout(() => upstream.destroy(timeout()), limits.connectMs);
      socket.once('connect', () => clearTimeout(timer));
      socket.once('close', () => clearTimeout(timer));
    });
    return upstream;
  }

  /** Logs when the writer stops answering, and when it answers again. */
  #note(state: WriterState, code = ''): void {
    const { logger } = this.#options;
    if (state !== 'ok') this.failures += 1;
    if (this.#state === state) return;
    this.#state = state;
    if (state === 'ok') logger.info('writer_recovered');
    else if (state === 'loop') logger.warn('writer_loop', { advice: LOOP_WORDS });
    else logger.warn('writer_unreachable', { code });
  }
}

/** Sends a response while it arrives, no faster than the client reads it. */
function passBack(answer: IncomingMessage, response: ServerResponse): void {
  response.writeHead(answer.statusCode ?? 502, answer.statusMessage, responseHeaders(answer));
  // Streams of events are read before their end.
  response.flushHeaders();
  answer.once('aborted', () => response.destroy());
  answer.pipe(response);
}

/** The writer may close a connection that was idle in the moment when it is used again. */
function isWorthRepeating(
  { code }: NodeJS.ErrnoException,
  { reusedSocket }: ClientRequest,
  { method, headers }: IncomingMessage,
): boolean {
  const hasBody = 'content-length' in headers || 'transfer-encoding' in headers;
  const isSafe = ['GET', 'HEAD', 'OPTIONS'].includes(method ?? '');
  return reusedSocket && code === 'ECONNRESET' && isSafe && !hasBody;
}

function timeout(): Error {
  return Object.assign(new Error('The writer did not answer in time'), { code: 'ETIMEDOUT' });
}

function unanswered(): DomainError {
  return new DomainError(
    'service_unavailable',
    'The machine that accepts changes does not answer. Published pages still work',
  );
}
