/** Turns failed requests to boards into errors with a message and a hint. */
import { MAX_SKEW_MS } from '#core/domain/signing/snapshot.ts';
import { plain } from '#core/domain/text/terminal-text.ts';
import { type BoardWords, EXIT, Failure, Refusal } from '../failure.ts';
import { jsonAs } from '../json-as.ts';
import { durationText, momentText } from '../text/figures.ts';
import { ProblemAnswer } from './answers.ts';

export interface Exchange {
  status: number;
  text: string;
  /** The Retry-After header: seconds, or a date. */
  retryAfter: string | null;
  date: string | null;
}

/** This device's clock, and how far it is ahead of the board's, in milliseconds. */
interface Clock {
  nowMs: number;
  skewMs: number;
}

/** Error codes that a wrong clock causes, with the smallest difference in milliseconds. */
const CLOCK_REFUSALS: Readonly<Record<string, number>> = {
  snapshot_stale: MAX_SKEW_MS,
  token_invalid: 60_000,
};

/** The form of error codes. Anything else could be text for people, and is not shown as a code. */
const CODE = /^[a-z_]{1,60}$/;
const MAX_WORDS = 500;

/** For a wait of at least this length, the message includes the time of day. */
const LONG_WAIT_SECONDS = 120;

const UNCONNECTED = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'];

const RETRY_HINT = 'Check the address and your network, then run the command again.';

/** The error for a board that cannot be reached, or whose response breaks off. */
export function unreachable(url: string, error: unknown): Failure {
  const { origin } = new URL(url);
  const { code, reason } = causeOf(error);
  const message = `${origin} cannot be reached: ${reason}`;
  const failure = passing(new Failure(EXIT.network, message, RETRY_HINT));
  failure.isUnheard = UNCONNECTED.includes(code);
  return failure;
}

/** The system's message and code for a failed request. The code may be empty. */
export function causeOf(error: unknown): { code: string; reason: string } {
  const cause = error instanceof Error ? ((error.cause as Error | undefined) ?? error) : null;
  const { code = '' } = (cause ?? {}) as NodeJS.ErrnoException;
  // An error that combines several addresses has a code but no message.
  return { code, reason: cause?.message || code || String(error) };
}

export function failureOf(origin: string, exchange: Exchange, clock: Clock): Failure {
  const seconds = retryAfterOf(exchange, clock.nowMs);
  const failure = statedFailure(origin, exchange, clock, seconds);
  failure.retryAfterSeconds = seconds;
  const { status } = exchange;
  return status >= 500 || status === 408 || status === 429 ? passing(failure) : failure;
}

function passing(failure: Failure): Failure {
  failure.isPassing = true;
  return failure;
}

/** Computed with the board's own clock, if the response has a date. */
function retryAfterOf({ retryAfter, date }: Exchange, nowMs: number): number | null {
  if (retryAfter === null) return null;
  if (/^\d{1,9}$/.test(retryAfter)) return Number(retryAfter);
  const at = Date.parse(retryAfter);
  if (Number.isNaN(at)) return null;
  const from = Date.parse(date ?? '');
  return Math.max(0, Math.ceil((at - (Number.isNaN(from) ? nowMs : from)) / 1000));
}

function statedFailure(
  origin: string,
  { status, text }: Exchange,
  clock: Clock,
  seconds: number | null,
): Failure {
  const wait = waitText(seconds, clock.nowMs);
  const problem = problemOf(text);
  if (status === 429) {
    // The request itself is fine. A proxy in front of the board may answer this, too.
    const code = problem?.code ?? 'quota_exceeded';
    const detail = problem?.words.detail ?? `${origin} received too many requests`;
    return said(problem, new Refusal(429, code, detail, wait ?? 'Try again later.'));
  }
  if (!problem) return strange(origin, status, wait);
  const { code, words } = problem;
  if (status >= 500) {
    const message = `${origin} failed (${code}): ${words.detail}`;
    return said(problem, new Failure(EXIT.network, message, wait));
  }
  const ofClock = clockRefusal(status, code, clock.skewMs);
  return ofClock ?? said(problem, new Refusal(status, code, words.detail, words.hint));
}

/** The error for a response that is not from a board. It may be from a proxy, and the board may have the request. */
function strange(origin: string, status: number, wait: string | null): Failure {
  const none = [404, 501].includes(status) ? 'There is no Opbench board at this address.' : null;
  const failure = new Failure(
    EXIT.network,
    `${origin} answered with status ${status}`,
    wait ?? none,
  );
  failure.isUnheard = status < 500 || status === 501;
  return failure;
}

/** A board's error, with text that is safe to show. */
interface Problem {
  code: string;
  words: BoardWords;
}

/** Null if the response is not from a board. */
function problemOf(text: string): Problem | null {
  const answer = jsonAs(ProblemAnswer, text);
  if (answer === null) return null;
  const { code, detail, hint, errors } = answer;
  const faults = errors ?? [];
  const places = faults
    .filter((fault) => !detail.includes(fault.detail))
    .map((fault) => `; ${fault.pointer}: ${fault.detail}`);
  // The detail of the one wrong parameter says the same as this hint.
  const isSaid = code === 'query_invalid' && faults.length === 1;
  const words = {
    detail: shown(detail + places.join('')),
    hint: hint == null || isSaid ? null : shown(hint),
  };
  return { code: CODE.test(code) ? code : 'refused', words };
}

function shown(words: string): string {
  const text = plain(words);
  return text.length > MAX_WORDS ? `${text.slice(0, MAX_WORDS - 1)}…` : text;
}

function said(problem: Problem | null, failure: Failure): Failure {
  failure.boardSays = problem?.words ?? null;
  return failure;
}

/** The error for a clock that differs too much from the board's; null if that is not the cause. */
function clockRefusal(status: number, code: string, skewMs: number): Refusal | null {
  const tolerated = Object.hasOwn(CLOCK_REFUSALS, code) ? CLOCK_REFUSALS[code] : undefined;
  if (tolerated === undefined || Math.abs(skewMs) < tolerated) return null;
  const hint = 'Set the clock of this device, then run the command again.';
  return new Refusal(status, code, skewText(skewMs), hint);
}

export function skewText(skewMs: number): string {
  const side = skewMs < 0 ? 'behind' : 'ahead of';
  return `this device's clock is ${durationText(Math.abs(skewMs), Math.round)} ${side} the board's`;
}

function waitText(seconds: number | null, nowMs: number): string | null {
  if (seconds === null) return null;
  const length = durationText(seconds * 1000);
  if (seconds < LONG_WAIT_SECONDS) return `Try again in ${length}.`;
  const time = momentText(new Date(nowMs + seconds * 1000).toISOString());
  return `Try again in ${length}, at ${time}.`;
}
