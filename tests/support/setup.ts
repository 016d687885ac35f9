import { afterEach, expect, vi } from 'vitest';

/** An unexpected `console.error` fails the test that caused it. */
const consoleError = vi.spyOn(console, 'error');

afterEach(() => {
  const calls = consoleError.mock.calls.map((args) => args.join(' '));
  consoleError.mockClear();
  expect(calls).toEqual([]);
});
