/** Tracks the requests in progress, and logs a line for each. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { RequestLogging } from '../config/config.ts';
import type { Level } from '../process/logger.ts';

export interface RequestsOptions {
  logging: RequestLogging;
  /** Adds a line, which may be buffered. */
  add: (line: string) => void;
  /** The name of a target's route in the log. */
  routeOf: (target: string) => string;
}

/** What is known about a request once it is over. It never contains names, addresses or tokens. */
export interface RequestLine {
  id: string;
  method: string;
  route: string;
  /** Null if nothing was answered. */
  status: number | null;
  ms: number;
  /** Whether the client left before the response was complete. */
  isAborted: boolean;
}

export class Requests {
  readonly #options: RequestsOptions;
  readonly #underWay = new Set<ServerResponse>();
  readonly #connections = new Set<Socket>();
  #isEnding = false;
  #watch: ((request: RequestLine) => void) | null = null;
  #timeMs = 0;
  #timeText = '';

  constructor(options: RequestsOptions) {
    this.#options = options;
  }

  /** Calls a function with each request that is over, except health probes. */
  watch(onEnd: (request: RequestLine) => void): void {
    this.#watch = onEnd;
  }

  /** Call it for each new connection. */
  connected(socket: Socket): void {
    // node:http reports a connection again after a request for another protocol.
    if (this.#connections.has(socket)) return;
    this.#connections.add(socket);
    socket.once('close', () => this.#connections.delete(socket));
  }

  /** Call it for each new request. Returns the request ID. */
  begin(request: IncomingMessage, response: ServerResponse): string {
    const id = randomUUID();
    const startMs = performance.now();
    this.#underWay.add(response);
    if (this.#isEnding) response.setHeader('Connection', 'close');
    response.on('close', () => {
      this.#underWay.delete(response);
      const { method = 'GET', url = '' } = request;
      const status = response.headersSent ? response.statusCode : null;
      const isTold = this.#isTold(status, url);
      const watch = isProbe(url) ? null : this.#watch;
      if (!isTold && !watch) return;
      const ms = performance.now() - startMs;
      const isAborted = !response.writableFinished;
      const line = { id, method, route: this.#options.routeOf(url), status, ms, isAborted };
      if (isTold) this.#tell(line);
      watch?.(line);
    });
    return id;
  }

  /** Call it for a request that was rejected as invalid HTTP. */
  refused(id: string, status: number): void {
    const line = { id, method: '-', route: '-', status, ms: 0, isAborted: false };
    if (this.#isTold(status, '')) this.#tell(line);
    this.#watch?.(line);
  }

  /** Closes each connection once its requests are answered, and lets no new ones begin. */
  end(): void {
    this.#isEnding = true;
    for (const response of this.#underWay) {
      if (!response.headersSent) response.setHeader('Connection', 'close');
    }
    for (const socket of this.#connections) {
      // node:http considers these busy, because a request may still arrive.
      if (socket.bytesRead === 0) socket.destroy();
    }
  }

  #isTold(status: number | null, url: string): boolean {
    const { logging } = this.#options;
    if (logging === 'none') return false;
    return isFailure(status) || (logging === 'all' && !isProbe(url));
  }

  /** Written without JSON.stringify, which takes three times as long. Nothing in it needs escaping. */
  #tell({ id, method, route, status, ms, isAborted }: RequestLine): void {
    const head = `{"time":"${this.#time()}","level":"${levelOf(status)}","event":"request"`;
    const rest = `"status":${status},"ms":${Math.round(ms * 10) / 10}${isAborted ? ABORTED : ''}}\n`;
    this.#options.add(`${head},"request":"${id}","method":"${method}","route":"${route}",${rest}`);
  }

  /** The time of day, formatted once for all lines of a millisecond. */
  #time(): string {
    const nowMs = Date.now();
    if (nowMs !== this.#timeMs) {
      this.#timeMs = nowMs;
      this.#timeText = new Date(nowMs).toISOString();
    }
    return this.#timeText;
  }
}

const ABORTED = ',"aborted":true';

/** Health probes, which supervisors repeat often. */
const PROBE = /^\/(healthz|readyz)(?:\?|$)/;

/** The probe that a target names; undefined if none. */
export function probeOf(target: string): string | undefined {
  return PROBE.exec(target)?.[1];
}

const isProbe = (target: string) => PROBE.test(target);

/** Requests for features that the server does not have (501, 505) are the client's mistake. */
function isFailure(status: number | null): boolean {
  return status !== null && status >= 500 && status !== 501 && status !== 505;
}

function levelOf(status: number | null): Level {
  if (status === 500) return 'error';
  return isFailure(status) ? 'warn' : 'info';
}

/** How often idle connections are closed, in milliseconds. */
const LOOK_MS = 50;

/**
 * Accepts no new connections, lets requests in progress finish, and closes idle connections. After the grace period,
 * cuts off the rest.
 */
export async function drain(server: Server, requests: Requests, graceMs: number): Promise<void> {
  if (!server.listening) return;
  requests.end();
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const look = setInterval(() => server.closeIdleConnections(), LOOK_MS);
  const cut = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(look);
  clearTimeout(cut);
}
