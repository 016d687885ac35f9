import { type Exchange, failureOf, unreachable } from './failure.ts';
import { Failure, EXIT } from '../failure.ts';

const TIMEOUT_MS = 30_000;

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** The way to boards: what is asked, what they answer, and what their clocks say on the way. */
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
   * Asks, and reads all of the answer.
   *
   * @throws {Failure} if the board cannot be reached or says no.
   */
  async ask(url: string, init: RequestInit): Promise<Exchange> {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const exchange = await this.#reach(url, { ...init, signal }, (answer) => received(url, answer));
    if (exchange.status < 400) return exchange;
    throw this.#failure(url, exchange);
  }

  /**
   * Asks for a file, to be read as it comes.
   *
   * @throws {Failure} if the board cannot be reached or does not send it; reading it may fail, too.
   */
  async open(url: string, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
    const response = await this.#reach(url, { signal }, async (answer) => answer);
    if (response.ok && response.body) return response.body as ReadableStream<Uint8Array>;
    throw this.#failure(url, await this.#reading(url, () => received(url, response)));
  }

  /** How far this device's clock is ahead of a board's by its last answer; null if that told nothing. */
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

  /** A stored answer tells the time at which it was stored. */
  #noteClock(url: string, { headers }: Response, askedMs: number): void {
    const date = Date.parse(headers.get('date') ?? '');
    if (Number.isNaN(date) || headers.has('age')) return;
    // The header names the whole second that was going on, halfway through the exchange.
    const skewMs = (askedMs + this.#nowMs()) / 2 - (date + 500);
    this.#skews.set(new URL(url).origin, Math.round(skewMs));
  }
}

async function received(url: string, response: Response): Promise<Exchange> {
  const { headers, status } = response;
  const [retryAfter, date] = [headers.get('retry-after'), headers.get('date')];
  return { status, text: await readBody(url, response), retryAfter, date };
}

/** The largest answer that is read (16 MiB), and the most that is read of an error (64 KiB). */
const MAX_ANSWER_BYTES = 16 << 20;
const MAX_ERROR_BYTES = 64 << 10;

/**
 * The text of an answer, counted as it is after decompression. An error that is longer than one can be
 * says no more than its status.
 *
 * @throws {Failure} `network` if an answer is too long; the rest of it is not taken.
 */
export async function readBody(url: string, response: Response): Promise<string> {
  if (response.status >= 400) return (await textUpTo(response, MAX_ERROR_BYTES)) ?? '';
  const text = await textUpTo(response, MAX_ANSWER_BYTES);
  if (text !== null) return text;
  const message = `${new URL(url).origin} answers with more than 16 MiB`;
  throw new Failure(EXIT.network, message, 'No board does that. Check the address.');
}

/** Null if there is more than that; then the connection is closed. */
async function textUpTo({ body }: Response, mostBytes: number): Promise<string | null> {
  if (body === null) return '';
  const chunks: Uint8Array[] = [];
  let length = 0;
  // Leaving the loop cancels the body.
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > mostBytes) return null;
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}
