/** Errors with stable codes. `contract/problem.ts` turns them into responses. */
import type problems from './problems.json';

/** One fault in the caller's input. `pointer` is a JSON Pointer fragment. */
export interface Fault {
  pointer: string;
  code: string;
  detail: string;
}

/** Every code. `problems.json` has its texts. */
export type ErrorCode = keyof typeof problems;

/** An error that the caller can act on: a stable `code` and a sentence about this occurrence. */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  readonly code: ErrorCode;
  /** The individual faults, if the input was checked against a schema. */
  readonly faults: readonly Fault[];

  constructor(code: ErrorCode, detail: string, faults: readonly Fault[] = []) {
    super(detail);
    this.code = code;
    this.faults = faults;
  }
}

/**
 * Returns an error if it is a DomainError with one of these codes.
 *
 * @throws Any other error.
 */
export function refusalAmong(error: unknown, ...codes: readonly ErrorCode[]): DomainError {
  if (error instanceof DomainError && codes.includes(error.code)) return error;
  throw error;
}

/** The result of `read`, or null if it throws a DomainError with one of these codes. Other errors are rethrown. */
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
