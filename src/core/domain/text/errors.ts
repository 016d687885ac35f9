/** Every refusal has a stable code; what a client sees of it is told in `contract/problem.ts`. */
import type problems from './problems.json';

/** One fault of one place in the caller's input; `pointer` is a JSON Pointer fragment. */
export interface Fault {
  pointer: string;
  code: string;
  detail: string;
}

/** Every code; what a client is told of it stands beside it in the table. */
export type ErrorCode = keyof typeof problems;

/** A refusal that the caller can act on: a permanent `code` and a sentence about this occurrence. */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  readonly code: ErrorCode;
  /** The single faults, where the input was checked against a schema. */
  readonly faults: readonly Fault[];

  constructor(code: ErrorCode, detail: string, faults: readonly Fault[] = []) {
    super(detail);
    this.code = code;
    this.faults = faults;
  }
}

/**
 * An error as the refusal that it may be.
 *
 * @throws The error itself if it is no refusal with one of these codes.
 */
export function refusalAmong(error: unknown, ...codes: readonly ErrorCode[]): DomainError {
  if (error instanceof DomainError && codes.includes(error.code)) return error;
  throw error;
}

/** What is read, or null where it is refused with one of these codes; every other error is thrown on. */
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
