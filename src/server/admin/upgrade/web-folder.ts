/** A folder of releases on a web server. */
import type { ReleaseFile, ReleaseSource } from './release-source.ts';
import { refused } from './upgrade-error.ts';

export interface WebOptions {
  fetch: typeof fetch;
  /** The longest time without a byte, in milliseconds. */
  idleMs?: number;
}

const IDLE_MS = 30_000;
const MAX_REDIRECTS = 5;
const REDIRECTS = [301, 302, 303, 307, 308];
const MISSING = [404, 410];
const NOT_ALLOWED = [401, 403];

export class WebFolder implements ReleaseSource {
  readonly shown: string;
  readonly #authorization: string | null;
  readonly #fetch: typeof fetch;
  readonly #idleMs: number;

  constructor(address: string, { fetch, idleMs = IDLE_MS }: WebOptions) {
    const url = new URL(address);
    this.#authorization = authorizationIn(url);
    [url.username, url.password] = ['', ''];
    this.shown = url.href.replace(/\/?$/, '/');
    this.#fetch = fetch;
    this.#idleMs = idleMs;
  }

  async open(name: string, totalMs: number): Promise<ReleaseFile | null> {
    const address = this.shown + name;
    const watch = new Watch(address, this.#idleMs, totalMs);
    try {
      const { ok, status, body, headers } = await this.#follow(address, watch.signal);
      if (ok && body) return { bytes: lengthIn(headers), chunks: watch.chunksOf(body) };
      await body?.cancel();
      watch.end();
      if (MISSING.includes(status)) return null;
      const advice = NOT_ALLOWED.includes(status)
        ? 'Check the user and the password in UPDATE_URL'
        : 'Check UPDATE_URL, or try again later';
      throw refused(`${address} returns ${status}. ${advice}`);
    } catch (error) {
      throw watch.ended(error);
    }
  }

  /** Follows redirects itself, because `fetch` would also follow one from https to http. */
  async #follow(address: string, signal: AbortSignal): Promise<Response> {
    let url = new URL(address);
    for (let hops = 0; hops <= MAX_REDIRECTS; hops += 1) {
      const headers = this.#headersFor(url);
      const response = await this.#fetch(url, { headers, redirect: 'manual', signal });
      const target = response.headers.get('location');
      if (!REDIRECTS.includes(response.status) || target === null) return response;
      await response.body?.cancel();
      url = redirected(url, target);
    }
    throw refused(`${address} redirects more than ${MAX_REDIRECTS} times. Check UPDATE_URL`);
  }

  /** Only the configured server receives the password. Compression would hide the size of a file. */
  #headersFor({ origin }: URL): Record<string, string> {
    const headers = { 'accept-encoding': 'identity' };
    if (this.#authorization === null || origin !== new URL(this.shown).origin) return headers;
    return { ...headers, authorization: this.#authorization };
  }
}

/** Ends a request that takes too long, and explains how a request ended. */
class Watch {
  readonly #address: string;
  readonly #stop = new AbortController();
  readonly #idle: NodeJS.Timeout;
  readonly #total: NodeJS.Timeout;

  constructor(address: string, idleMs: number, totalMs: number) {
    this.#address = address;
    const within = (ms: number, state: string) => {
      const message = `${address} ${state} ${ms / 1000} seconds. Check the network, then run the command again`;
      return setTimeout(() => this.#stop.abort(refused(message)), ms);
    };
    this.#idle = within(idleMs, 'sent nothing for');
    this.#total = within(totalMs, 'takes longer than');
  }

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  async *chunksOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of body) {
        this.#idle.refresh();
        yield chunk;
      }
    } catch (error) {
      throw this.ended(error);
    } finally {
      this.end();
    }
  }

  end(): void {
    clearTimeout(this.#idle);
    clearTimeout(this.#total);
  }

  /** What to throw for an error of the request. `fetch` throws a TypeError for every failure of the network. */
  ended(error: unknown): unknown {
    this.end();
    if (this.signal.aborted) return this.signal.reason;
    if (!(error instanceof TypeError)) return error;
    const { code } = (error.cause ?? {}) as NodeJS.ErrnoException;
    const reason = code === undefined ? '' : ` (${code})`;
    return refused(
      `${this.#address} cannot be read${reason}. Check UPDATE_URL and the network, then run the command again`,
    );
  }
}

function authorizationIn({ username, password }: URL): string | null {
  if (username === '' && password === '') return null;
  const pair = [username, password].map(decodeURIComponent).join(':');
  return `Basic ${Buffer.from(pair).toString('base64')}`;
}

function lengthIn(headers: Headers): number | null {
  const length = headers.get('content-length') ?? '';
  return /^\d{1,15}$/.test(length) ? Number(length) : null;
}

/** @throws {UpgradeError} if the target is less secure than the address. */
function redirected(from: URL, target: string): URL {
  const to = URL.parse(target, from);
  const isSecure = to !== null && ['https:', from.protocol].includes(to.protocol);
  if (!isSecure) {
    // The target may contain a token, so it is not shown.
    throw refused(`${from.origin} redirects to an address without https. Check UPDATE_URL`);
  }
  [to.username, to.password] = ['', ''];
  return to;
}
