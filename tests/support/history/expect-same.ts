import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';

/** @throws {Error} if the values differ in any bit. */
export function expectSame(what: string, actual: unknown, expected: unknown): void {
  if (isDeepStrictEqual(actual, expected)) return;
  expect(actual, what).toStrictEqual(expected);
  throw new Error(`${what} differs in a way that toStrictEqual() does not see`);
}
