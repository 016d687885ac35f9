import { DomainError } from '#core/domain/text/errors.ts';

export const EXIT = {
  ok: 0,
  usage: 1,
  notEnrolled: 2,
  refused: 3,
  network: 4,
  partial: 5,
} as const;

/** The exit code of a command that was stopped by Ctrl+C, as shells expect it. */
export const INTERRUPTED = 130;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
type FailureCode = Exclude<ExitCode, typeof EXIT.ok>;

/** A board's own text about an error. Untrusted. */
export interface BoardWords {
  detail: string;
  hint: string | null;
}

/** An error that the person can do something about. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly exitCode: FailureCode;
  /** The board's error code; null if the error is not from a board. */
  readonly code: string | null = null;
  readonly hint: string | null;
  /** The board's own text, if `message` or `hint` contain any. */
  boardSays: BoardWords | null = null;
  /** The board's Retry-After. */
  retryAfterSeconds: number | null = null;
  /** Whether the same request may succeed a little later. */
  isPassing = false;
  /** Whether the request cannot have reached a board: there is none, or something else answered. */
  isUnheard = false;
  /** Whether its exit code applies although other boards succeeded. */
  isAlarm = false;

  constructor(exitCode: FailureCode, message: string, hint: string | null = null) {
    super(message);
    this.exitCode = exitCode;
    this.hint = hint;
  }
}

/**
 * Runs a function of the domain.
 *
 * @throws {Failure} `usage` if it throws a {@linkcode DomainError}.
 */
export function orUsageFailure<Result>(run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    if (error instanceof DomainError) throw new Failure(EXIT.usage, error.message);
    throw error;
  }
}

/** Returns null for a {@linkcode Failure} and rethrows any other error. */
export function nullIfFailure(error: unknown): null {
  if (error instanceof Failure) return null;
  throw error;
}

/** The result of a step; null if it throws a {@linkcode Failure}. */
export function orNull<Result>(step: () => Result): Result | null {
  try {
    return step();
  } catch (error) {
    return nullIfFailure(error);
  }
}

/** The board rejected the request. */
export class Refusal extends Failure {
  override readonly code: string;
  readonly status: number;

  constructor(status: number, code: string, detail: string, hint: string | null) {
    super(EXIT.refused, `The board rejected the request (${code}): ${detail}`, hint);
    this.status = status;
    this.code = code;
  }
}
