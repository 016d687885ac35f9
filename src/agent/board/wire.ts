import { type Exchange, failureOf, unreachable } from './failure.ts';
import { Failure, EXIT } from '../failure.ts';

const TIMEOUT_MS = 30_000;

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Sends requests to boards and notes how far their clocks differ from this device's. */
export class Wire {
  readonly #fetch: Fetch;
  readonly #nowMs: () => number;
  /** How far this device's clock is ahead of each board's, in milliseconds. */
  readonly #skews = new Map<string, number>();

  constructor(fetch: Fetch, nowMs: () => number) {
    this.#fetch = fetch;
    this.#nowMs = nowMs;
  }

  /**
   * Sends a request and reads the whole response.
   *
   * @throws {Failure} if the board cannot be reached or answers with an error.
   */
  async ask(url: string, init: RequestInit, timeoutMs = TIMEOUT_MS): Promise<Exchange> {
    const signal = AbortSignal.timeout(timeoutMs);
    const exchange = await this.#reach(url, { ...init, signal }, (answer) => received(url, answer));
    if (exchange.status < 400) return exchange;
    throw this.#failure(url, exchange);
  }

  /**
   * Requests a file.
   *
   * @returns The response, with status 304 if the request names the current version.
   * @throws {Failure} if the board cannot be reached or does not send it. Reading the body may fail too.
   */
  async open(url: string, init: RequestInit): Promise<Response> {
    const response = await this.#reach(url, init, async (answer) => answer);
    if (response.status === 304 || (response.ok && response.body)) return response;
    throw this.#failure(url, await this.#reading(url, () => received(url, response)));
  }

  /** By how many milliseconds this device's clock is ahead, from the board's last response; null if unknown. */
  skewMs(board: string): number | null {
    return this.#skews.get(board) ?? null;
  }

  #failure(url: string, exchange: Exchange): Failure {
    const { origin } = new URL(url);
    const skewMs = this.skewMs(origin) ?? 0;
    return failureOf(origin, exchange, { nowMs: this.#nowMs(), skewMs });
  }

  async #reach<Result>(
    url: string,
    init: RequestInit,
    read: (response: Response) => Promise<Result>,
  ): Promise<Result> {
    return this.#reading(url, async () => {
      const askedMs = this.#nowMs();
      const response = await this.#fetch(url, { ...init, redirect: 'error' });
      this.#noteClock(url, response, askedMs);
      return read(response);
    });
  }

  async #reading<Result>(url: string, read: () => Promise<Result>): Promise<Result> {
    try {
      return await read();
    } catch (error) {
      throw error instanceof Failure ? error : unreachable(url, error);
    }
  }

  /** Ignores cached responses, whose date is that of the original response. */
  #noteClock(url: string, { headers }: Response, askedMs: number): void {
    const date = Date.parse(headers.get('date') ?? '');
    if (Number.isNaN(date) || headers.has('age')) return;
    // The header is in whole seconds, and was written about halfway through the exchange.
    const skewMs = (askedMs + this.#nowMs()) / 2 - (date + 500);
    this.#skews.set(new URL(url).origin, Math.round(skewMs));
  }
}

async function received(url: string, response: Response): Promise<Exchange> {
  const { headers, status } = response;
  const [retryAfter, date] = [headers.get('retry-after'), headers.get('date')];
  return { status, text: await readBody(url, response), retryAfter, date };
}

/** The size limits of a response (16 MiB) and of an error (64 KiB). */
const MAX_ANSWER_BYTES = 16 << 20;
const MAX_ERROR_BYTES = 64 << 10;

/**
 * The text of a response. The limit applies after decompression. For an error that is too long, the text is empty.
 *
 * @throws {Failure} `network` if the response is too long. The rest is not read.
 */
export async function readBody(url: string, response: Response): Promise<string> {
  if (response.status >= 400) return (await textUpTo(response, MAX_ERROR_BYTES)) ?? '';
  const text = await textUpTo(response, MAX_ANSWER_BYTES);
  if (text !== null) return text;
  const message = `${new URL(url).origin} sent more than 16 MiB, which no board does`;
  throw new Failure(EXIT.network, message, 'Check the address.');
}

/** Null if the body is longer; the connection is then closed. */
async function textUpTo({ body }: Response, mostBytes: number): Promise<string | null> {
  if (body === null) return '';
  const chunks: Uint8Array[] = [];
  let length = 0;
  // Leaving the loop cancels the response.
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > mostBytes) return null;
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}
