/** Errors with a stable code. `contract/problem.ts` defines how clients see them. */
import type problems from './problems.json';

/** One fault in the caller's input; `pointer` is a JSON Pointer fragment that names its place. */
export interface Fault {
  pointer: string;
  code: string;
  detail: string;
}

/** Every code. `problems.json` has its status, title and hint. */
export type ErrorCode = keyof typeof problems;

/** An error that the caller can act on: a permanent `code` and a sentence about this occurrence. */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  readonly code: ErrorCode;
  /** The individual faults, if the input was checked against a schema; else empty. */
  readonly faults: readonly Fault[];

  constructor(code: ErrorCode, detail: string, faults: readonly Fault[] = []) {
    super(detail);
    this.code = code;
    this.faults = faults;
  }
}

/**
 * Returns the error if it is a {@linkcode DomainError} with one of these codes.
 *
 * @throws The error itself if it is anything else.
 */
export function refusalAmong(error: unknown, ...codes: readonly ErrorCode[]): DomainError {
  if (error instanceof DomainError && codes.includes(error.code)) return error;
  throw error;
}

/** Returns what `read` returns, or null if it throws one of these codes. Every other error is rethrown. */
export function nullIfRefused<Found>(
  read: () => Found,
  ...codes: readonly ErrorCode[]
): Found | null {
  try {
    return read();
  } catch (error) {
    refusalAmong(error, ...codes);
    return null;
  }
}
