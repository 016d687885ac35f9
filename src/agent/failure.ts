import { DomainError } from '#core/domain/text/errors.ts';

export const EXIT = {
  ok: 0,
  usage: 1,
  notEnrolled: 2,
  refused: 3,
  network: 4,
  partial: 5,
} as const;

/** What a shell expects of a command that was stopped by ctrl-C. */
export const INTERRUPTED = 130;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
type FailureCode = Exclude<ExitCode, typeof EXIT.ok>;

/** What a board wrote about a failure: words of a stranger. */
export interface BoardWords {
  detail: string;
  hint: string | null;
}

/** An end that the person can do something about. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly exitCode: FailureCode;
  /** The board's own word for it, if it was the board that said no. */
  readonly code: string | null = null;
  readonly hint: string | null;
  /** The board's own words, if `message` or `hint` hold any. */
  boardSays: BoardWords | null = null;
  /** When to try again, as the board said it. */
  retryAfterSeconds: number | null = null;
  /** Whether the same may go well a little later: nothing is wrong with what was asked. */
  isPassing = false;
  /** Whether no board can have heard what was asked: none is there, or something else answered. */
  isUnheard = false;

  constructor(exitCode: FailureCode, message: string, hint: string | null = null) {
    super(message);
    this.exitCode = exitCode;
    this.hint = hint;
  }
}

/**
 * Does what a rule of the domain may refuse.
 *
 * @throws {Failure} `usage` if it does.
 */
export function orUsageFailure<Result>(run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    if (error instanceof DomainError) throw new Failure(EXIT.usage, error.message);
    throw error;
  }
}

/** Null for what a person can do something about; what else went wrong is thrown on. */
export function nullIfFailure(error: unknown): null {
  if (error instanceof Failure) return null;
  throw error;
}

/** What a step gives; null if it ends in a {@linkcode Failure}. */
export function orNull<Result>(step: () => Result): Result | null {
  try {
    return step();
  } catch (error) {
    return nullIfFailure(error);
  }
}

/** The board understood and said no. */
export class Refusal extends Failure {
  override readonly code: string;
  readonly status: number;

  constructor(status: number, code: string, detail: string, hint: string | null) {
    super(EXIT.refused, `The board refused (${code}): ${detail}`, hint);
    this.status = status;
    this.code = code;
  }
}
