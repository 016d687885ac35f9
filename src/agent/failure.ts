/** Why the command ends, as its exit code tells scripts. */
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

/** An end that the person can do something about. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly exitCode: ExitCode;
  /** The board's own word for it, if it was the board that said no. */
  readonly code: string | null = null;
  readonly hint: string | null;
  /** When to try again, as the board said it. */
  retryAfterSeconds: number | null = null;

  constructor(exitCode: ExitCode, message: string, hint: string | null = null) {
    super(message);
    this.exitCode = exitCode;
    this.hint = hint;
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
