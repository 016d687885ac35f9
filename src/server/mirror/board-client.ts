/** Requests to the board that is mirrored, with limits: the board may be slow, overloaded or malicious. */
import { setTimeout as wait } from 'node:timers/promises';
import { VERSION } from '#core/cli/version.ts';
import { BoardUnavailable, MirrorFault } from './mirror-error.ts';

/** A request fails if the board sends nothing for this long. */
const STALLED_MS = 60_000;
/**
 * The longest time that the board can make a mirror wait in one pass, in seconds, by status: it limits requests, or is
 * not ready.
 */
const MAX_WAITS = new Map([
  [429, 15 * 60],
  [503, 60],
]);

interface Asked {
  maxBytes: number;
  /** The tag of what the mirror has. */
  etag?: string | null;
}

interface Answer {
  etag: string | null;
}

export class BoardClient {
  readonly url: string;
  /** The path of the log that is followed. In the mirror, it is always `log`. */
  log = 'log';
  readonly #stop: AbortSignal;
  readonly #wait: (ms: number) => Promise<unknown>;
  #waited = 0;

  /** @param url The board's address, without a slash at the end. */
  constructor(
    url: string,
    stop: AbortSignal,
    pause = (ms: number): Promise<unknown> => wait(ms, undefined, { signal: stop }),
  ) {
    this.url = url;
    this.#stop = stop;
    this.#wait = pause;
  }

  /** Whether requests fail because the mirror stops. */
  get isStopped(): boolean {
    return this.#stop.aborted;
  }

  /** The path on the board of a file of the mirror. */
  pathOf(name: string): string {
    const isOfLog = /^log\/(?:checkpoint$|tile\/|payload\/)/.test(name);
    return isOfLog ? this.log + name.slice('log'.length) : name;
  }

  /** Begins a pass, in which the board may make the client wait again. */
  begin(): void {
    this.#waited = 0;
  }

  /**
   * Reads a small file. Null if it is the one with the tag.
   *
   * @throws {MirrorFault} if it is missing or too large.
   * @throws {BoardUnavailable} if the board does not answer.
   */
  async read(name: string, asked: Asked): Promise<(Answer & { bytes: Buffer }) | null> {
    const answer = await this.open(name, asked);
    return answer && { etag: answer.etag, bytes: Buffer.concat(await all(answer.chunks)) };
  }

  /** The same in chunks, whose iteration throws the same errors. */
  async open(
    name: string,
    { maxBytes, etag = null }: Asked,
  ): Promise<(Answer & { chunks: AsyncIterable<Uint8Array> }) | null> {
    const watch = new Watch(this.#stop);
    const path = this.pathOf(name);
    try {
      const response = await this.#ask(path, etag, watch);
      if (response.status === 304) {
        watch.end();
        return null;
      }
      const chunks = this.#chunks(path, { response, maxBytes, watch });
      return { etag: response.headers.get('etag'), chunks };
    } catch (error) {
      watch.end();
      throw this.#explain(path, error);
    }
  }

  /** Asks again when the board says so. */
  async #ask(path: string, etag: string | null, watch: Watch): Promise<Response> {
    const headers = {
      'User-Agent': `opbench-board-mirror/${VERSION}`,
      ...(etag !== null && { 'If-None-Match': etag }),
    };
    for (;;) {
      const { signal } = watch;
      const response = await fetch(`${this.url}/${path}`, { headers, signal, redirect: 'manual' });
      const { status } = response;
      if (status === 200 || (status === 304 && etag !== null)) return response;
      await response.body?.cancel();
      watch.end();
      await this.#waitAs(response, path);
      watch.beat();
    }
  }

  /** @throws {Error} why there is no answer, unless the board asks to come back soon. */
  async #waitAs(response: Response, path: string): Promise<void> {
    const { status } = response;
    const longest = MAX_WAITS.get(status);
    const seconds = longest === undefined ? null : retryAfter(response);
    if (longest === undefined || seconds === null) throw refusal(path, status);
    this.#waited += Math.max(1, seconds);
    if (this.#waited > longest) {
      throw new BoardUnavailable(`/${path} is not available, and asks to wait ${seconds} seconds`);
    }
    await this.#wait(1000 * seconds);
  }

  async *#chunks(
    path: string,
    { response, maxBytes, watch }: { response: Response; maxBytes: number; watch: Watch },
  ): AsyncGenerator<Uint8Array> {
    let length = 0;
    try {
      for await (const chunk of response.body ?? []) {
        watch.beat();
        length += chunk.length;
        if (length > maxBytes) throw new MirrorFault(path, `has more than ${maxBytes} bytes`);
        yield chunk;
      }
    } catch (error) {
      throw this.#explain(path, error);
    } finally {
      watch.end();
    }
  }

  #explain(path: string, error: unknown): unknown {
    if (error instanceof MirrorFault || error instanceof BoardUnavailable) return error;
    const isOfNetwork = error instanceof TypeError || (error as Error).name === 'AbortError';
    if (!isOfNetwork) return error;
    const { cause, message } = error as Error;
    const reason = cause instanceof Error ? cause.message : message;
    return new BoardUnavailable(`${this.url}/${path} cannot be read: ${reason}`);
  }
}

function refusal(path: string, status: number): Error {
  if (status === 404 || status === 410) return new MirrorFault(path, 'is missing');
  if (status === 401 || status === 403) {
    return new BoardUnavailable(
      'Only members can read this board. Such a board cannot be mirrored, because a mirror is public',
    );
  }
  if (status >= 300 && status < 400) {
    return new BoardUnavailable(
      `/${path} redirects elsewhere. Mirror the address that it leads to`,
    );
  }
  return new BoardUnavailable(`/${path} returns the status ${status}`);
}

/** The wait in seconds; null if the board does not name one. */
function retryAfter({ headers }: Response): number | null {
  const text = headers.get('retry-after') ?? '';
  return /^\d{1,9}$/.test(text) ? Number(text) : null;
}

async function all(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array[]> {
  const found: Uint8Array[] = [];
  for await (const chunk of chunks) found.push(chunk);
  return found;
}

/** Ends a request that is stalled, or when the mirror stops. */
class Watch {
  readonly #abort = new AbortController();
  readonly #stop: AbortSignal;
  #timer: NodeJS.Timeout | undefined;

  constructor(stop: AbortSignal) {
    this.#stop = stop;
    this.beat();
  }

  get signal(): AbortSignal {
    return AbortSignal.any([this.#abort.signal, this.#stop]);
  }

  beat(): void {
    clearTimeout(this.#timer);
    const message = `it sent nothing for ${STALLED_MS / 1000} seconds`;
    this.#timer = setTimeout(() => this.#abort.abort(new BoardUnavailable(message)), STALLED_MS);
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}
