import { randomUUID } from 'node:crypto';
import type * as z from 'zod';
import { type EnrollmentRequest, enrollDevice, revokeDevice } from '#core/contract/devices.ts';
import { getMe } from '#core/contract/me.ts';
import { submitSnapshot } from '#core/contract/snapshots.ts';
import { signDeviceToken } from '#core/domain/device-token.ts';
import { ENVELOPE_MEDIA_TYPE } from '#core/schema/snapshot.ts';
import {
  EnrollmentAnswer,
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
    const { status, text, retryAfter } = await this.#exchange(url, init);
    const value = parse(text);
    if (status === 429) throw tooManyRequests(value, origin, retryAfter);
    if (status >= 400) throw refusalOf(status, value, origin);
    const parsed = reply.safeParse(value);
    if (parsed.success) return parsed.data;
    throw new Failure(EXIT.network, `${origin} does not answer as an Opbench board does`);
  }

  async #exchange(url: string, init: RequestInit): Promise<Exchange> {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    try {
      const response = await this.#fetch(url, { ...init, signal, redirect: 'error' });
      const retryAfter = response.headers.get('retry-after');
      return { status: response.status, text: await response.text(), retryAfter };
    } catch (error) {
      const { origin } = new URL(url);
      const cause = error instanceof Error ? ((error.cause as Error | undefined) ?? error) : null;
      const reason = cause?.message ?? String(error);
      throw new Failure(EXIT.network, `${origin} cannot be reached: ${reason}`);
    }
  }
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
