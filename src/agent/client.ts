import { randomUUID } from 'node:crypto';
import type * as z from 'zod';
import { type EnrollmentRequest, enrollDevice, revokeDevice } from '#core/contract/devices.ts';
import { getBoardKeys } from '#core/contract/keys.ts';
import { PAGE_LIMIT } from '#core/contract/limits.ts';
import { getLeaderboard } from '#core/contract/leaderboard.ts';
import { getLog } from '#core/contract/log.ts';
import { getMe } from '#core/contract/me.ts';
import { getMetricLeaders } from '#core/contract/metrics.ts';
import { submitSnapshot } from '#core/contract/snapshots.ts';
import { signDeviceToken } from '#core/domain/device-token.ts';
import { ENVELOPE_MEDIA_TYPE } from '#core/schema/snapshot.ts';
import {
  BoardAnswer,
  BoardKeysAnswer,
  EnrollmentAnswer,
  LeadersAnswer,
  LogAnswer,
  MeAnswer,
  ProblemAnswer,
  ReceiptAnswer,
  RevokeAnswer,
} from './answers.ts';
import { EXIT, Failure, Refusal } from './failure.ts';
import { type Identity, signingKey } from './keystore.ts';

/** How long a board may take to answer, in milliseconds. */
const TIMEOUT_MS = 30_000;

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

interface Exchange {
  status: number;
  text: string;
  /** When to come back, as the board said it. */
  retryAfter: string | null;
}

/** Calls to boards; every answer is checked for what this command reads of it. */
export class Client {
  readonly #fetch: Fetch;
  readonly #nowMs: () => number;

  constructor(fetch: Fetch, nowMs: () => number) {
    this.#fetch = fetch;
    this.#nowMs = nowMs;
  }

  enroll(board: string, request: EnrollmentRequest): Promise<EnrollmentAnswer> {
    return this.#call(board + enrollDevice.path, EnrollmentAnswer, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(request),
    });
  }

  /** Sends an envelope's exact text. */
  submit(board: string, envelope: string): Promise<ReceiptAnswer> {
    return this.#call(board + submitSnapshot.path, ReceiptAnswer, {
      method: 'POST',
      headers: { 'Content-Type': ENVELOPE_MEDIA_TYPE },
      body: envelope,
    });
  }

  async me(identity: Identity): Promise<MeAnswer> {
    return this.#callAs(identity, 'GET', getMe.path, MeAnswer);
  }

  /** The leaders of a window, of all tools or of one. */
  leaders(board: string, window: string, tool?: string): Promise<LeadersAnswer> {
    const query = new URLSearchParams({ window, ...(tool !== undefined && { tool }) });
    return this.#call(`${board}${getMetricLeaders.path}?${query}`, LeadersAnswer, {});
  }

  /** A page of a board, as many as it holds. */
  leaderboard(board: string, choice: Record<string, string>): Promise<BoardAnswer> {
    const query = new URLSearchParams({ ...choice, limit: String(PAGE_LIMIT.max) });
    return this.#call(`${board}${getLeaderboard.path}?${query}`, BoardAnswer, {});
  }

  /** The log's entries after one, as many as a page holds. */
  log(board: string, since: number): Promise<LogAnswer> {
    const query = new URLSearchParams({ since: String(since), limit: String(PAGE_LIMIT.max) });
    return this.#call(`${board}${getLog.path}?${query}`, LogAnswer, {});
  }

  /** The keys of the board itself. */
  boardKeys(board: string): Promise<BoardKeysAnswer> {
    return this.#call(board + getBoardKeys.path, BoardKeysAnswer, {});
  }

  /**
   * A file of the board, to be read as it comes.
   *
   * @throws {Failure} if the board does not send it; reading it may fail too.
   */
  async file(url: string, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
    const response = await this.#reach(url, { signal }, async (answer) => answer);
    if (response.ok && response.body) return response.body as ReadableStream<Uint8Array>;
    throw failureOf(new URL(url).origin, await received(response));
  }

  /** Revokes the device that asks. */
  async revoke(identity: Identity): Promise<void> {
    const path = revokeDevice.path.replace('{id}', identity.device_id);
    await this.#callAs(identity, 'DELETE', path, RevokeAnswer);
  }

  async #callAs<Reply extends z.ZodType>(
    identity: Identity,
    method: string,
    path: string,
    reply: Reply,
  ): Promise<z.output<Reply>> {
    const request = { audience: identity.board, method, path };
    const token = await signDeviceToken(request, signingKey(identity), this.#nowMs(), randomUUID());
    const headers = { Authorization: `Bearer ${token}` };
    return this.#call(identity.board + path, reply, { method, headers });
  }

  async #call<Reply extends z.ZodType>(
    url: string,
    reply: Reply,
    init: RequestInit,
  ): Promise<z.output<Reply>> {
    const { origin } = new URL(url);
    const exchange = await this.#exchange(url, init);
    if (exchange.status >= 400) throw failureOf(origin, exchange);
    const parsed = reply.safeParse(parse(exchange.text));
    if (parsed.success) return parsed.data;
    throw new Failure(EXIT.network, `${origin} does not answer as an Opbench board does`);
  }

  async #exchange(url: string, init: RequestInit): Promise<Exchange> {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    return this.#reach(url, { ...init, signal }, received);
  }

  async #reach<Result>(
    url: string,
    init: RequestInit,
    read: (response: Response) => Promise<Result>,
  ): Promise<Result> {
    try {
      return await read(await this.#fetch(url, { ...init, redirect: 'error' }));
    } catch (error) {
      throw unreachable(url, error);
    }
  }
}

async function received(response: Response): Promise<Exchange> {
  const retryAfter = response.headers.get('retry-after');
  return { status: response.status, text: await response.text(), retryAfter };
}

/** Why a board could not be asked, or stopped in the middle of its answer. */
export function unreachable(url: string, error: unknown): Failure {
  const { origin } = new URL(url);
  const cause = error instanceof Error ? ((error.cause as Error | undefined) ?? error) : null;
  const reason = cause?.message ?? String(error);
  return new Failure(EXIT.network, `${origin} cannot be reached: ${reason}`);
}

function failureOf(origin: string, { status, text, retryAfter }: Exchange): Failure {
  const value = parse(text);
  const failure =
    status === 429 ? tooManyRequests(value, origin, retryAfter) : refusalOf(status, value, origin);
  if (/^\d{1,9}$/.test(retryAfter ?? '')) failure.retryAfterSeconds = Number(retryAfter);
  return failure;
}

/** Nothing is wrong with what was sent; it has to wait. A proxy in front of the board may say so too. */
function tooManyRequests(value: unknown, origin: string, retryAfter: string | null): Failure {
  const problem = ProblemAnswer.safeParse(value);
  const { code, detail } = problem.success
    ? problem.data
    : { code: 'quota_exceeded', detail: `${origin} got too many requests` };
  const seconds = /^\d{1,9}$/.test(retryAfter ?? '') ? Number(retryAfter) : null;
  const hint = seconds === null ? 'Try again later.' : `Try again in ${durationOf(seconds)}.`;
  return new Refusal(429, code, detail, hint);
}

function durationOf(seconds: number): string {
  if (seconds < 120) return `${seconds} seconds`;
  if (seconds < 7200) return `${Math.ceil(seconds / 60)} minutes`;
  return `${Math.ceil(seconds / 3600)} hours`;
}

function refusalOf(status: number, value: unknown, origin: string): Failure {
  const problem = ProblemAnswer.safeParse(value);
  if (!problem.success) return new Failure(EXIT.network, `${origin} answered ${status}`);
  const { code, detail, hint, errors } = problem.data;
  if (status >= 500) return new Failure(EXIT.network, `${origin} failed (${code}): ${detail}`);
  const places = (errors ?? []).map((fault) => `; ${fault.pointer}: ${fault.detail}`).join('');
  return new Refusal(status, code, detail + places, hint ?? null);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
