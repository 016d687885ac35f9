/** The requests that are being answered, and a line in the log for each. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { RequestLogging } from '../config/config.ts';
import type { Level } from '../process/logger.ts';

export interface RequestsOptions {
  logging: RequestLogging;
  /** Takes a line, which may wait for others. */
  add: (line: string) => void;
  /** What the log calls what was asked for. */
  routeOf: (target: string) => string;
}

/** What a line tells of a request. Nobody's name, address or token is among it. */
interface RequestLine {
  id: string;
  method: string;
  route: string;
  /** Null where nothing was answered. */
  status: number | null;
  ms: number;
  /** Whether the client went before it had all of the answer. */
  isAborted: boolean;
}

export class Requests {
  readonly #options: RequestsOptions;
  readonly #underWay = new Set<ServerResponse>();
  readonly #connections = new Set<Socket>();
  #isEnding = false;
  #timeMs = 0;
  #timeText = '';

  constructor(options: RequestsOptions) {
    this.#options = options;
  }

  /** Hears of a connection when it is made. */
  connected(socket: Socket): void {
    // It is handed back after a request that wished for another protocol.
    if (this.#connections.has(socket)) return;
    this.#connections.add(socket);
    socket.once('close', () => this.#connections.delete(socket));
  }

  /** Hears of a request when it comes; returns the name by which its answer and the log call it. */
  begin(request: IncomingMessage, response: ServerResponse): string {
    const id = randomUUID();
    const startMs = performance.now();
    this.#underWay.add(response);
    if (this.#isEnding) response.setHeader('Connection', 'close');
    response.on('close', () => {
      this.#underWay.delete(response);
      const { method = 'GET', url = '' } = request;
      const status = response.headersSent ? response.statusCode : null;
      if (!this.#isTold(status, url)) return;
      const ms = performance.now() - startMs;
      const isAborted = !response.writableFinished;
      this.#tell({ id, method, route: this.#options.routeOf(url), status, ms, isAborted });
    });
    return id;
  }

  /** Hears of what was refused because it is no acceptable HTTP. */
  refused(id: string, status: number): void {
    if (!this.#isTold(status, '')) return;
    this.#tell({ id, method: '-', route: '-', status, ms: 0, isAborted: false });
  }

  /** Lets no connection be used again once it is answered what was asked on it, and none begin. */
  end(): void {
    this.#isEnding = true;
    for (const response of this.#underWay) {
      if (!response.headersSent) response.setHeader('Connection', 'close');
    }
    for (const socket of this.#connections) {
      // For node:http these are busy, since a request may come.
      if (socket.bytesRead === 0) socket.destroy();
    }
  }

  #isTold(status: number | null, url: string): boolean {
    const { logging } = this.#options;
    if (logging === 'none') return false;
    return isFailure(status) || (logging === 'all' && !isProbe(url));
  }

  /** Put together by hand, since nothing in it has to be escaped: that takes a third of the time. */
  #tell({ id, method, route, status, ms, isAborted }: RequestLine): void {
    const head = `{"time":"${this.#time()}","level":"${levelOf(status)}","event":"request"`;
    const rest = `"status":${status},"ms":${Math.round(ms * 10) / 10}${isAborted ? ABORTED : ''}}\n`;
    this.#options.add(`${head},"request":"${id}","method":"${method}","route":"${route}",${rest}`);
  }

  /** The time of day, written once for all lines of a millisecond. */
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

/** What supervisors ask again and again, whether the process is well. */
const PROBE = /^\/(healthz|readyz)(?:\?|$)/;

/** Which of them a target asks; undefined if it is none. */
export function probeOf(target: string): string | undefined {
  return PROBE.exec(target)?.[1];
}

const isProbe = (target: string) => PROBE.test(target);

/** What clients ask that no server here does is their mistake (501, 505). */
function isFailure(status: number | null): boolean {
  return status !== null && status >= 500 && status !== 501 && status !== 505;
}

function levelOf(status: number | null): Level {
  if (status === 500) return 'error';
  return isFailure(status) ? 'warn' : 'info';
}

/** How often it is looked which connections have nothing to do any more, in milliseconds. */
const LOOK_MS = 50;

/**
 * Takes no new connections, lets what is being answered finish, and closes what does nothing. What takes
 * longer than the grace is cut off.
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
