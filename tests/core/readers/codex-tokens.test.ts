import { describe, expect, test } from 'vitest';
import { growth, pillarsOf, readTokens } from '#core/readers/codex-file.ts';

const zero = { input: 0, cached: null, cache_write: null, output: 0, reasoning: 0, total: 0 };

describe('readTokens()', () => {
  test('treats missing parts as not reported, and missing sums as zero', () => {
    expect(readTokens({})).toEqual(zero);
  });

  test.each(['input_tokens', 'cached_input_tokens', 'cache_write_input_tokens', 'total_tokens'])(
    'returns null for an invalid %s',
    (name) => {
      expect(readTokens({ input_tokens: 5, [name]: -1 })).toBeNull();
    },
  );
});

describe('growth()', () => {
  test('is everything without earlier totals', () => {
    expect(growth(null, { ...zero, input: 5 })).toEqual({ ...zero, input: 5 });
  });

  test('subtracts earlier totals, even if a part was not reported yet', () => {
    const before = { ...zero, input: 5, output: 2 };
    const now = { ...zero, input: 9, cached: 3, output: 4 };

    expect(growth(before, now)).toMatchObject({
      input: 4,
      cached: 3,
      output: 2,
      cache_write: null,
    });
  });

  test.each(['input', 'cached', 'cache_write', 'output'])(
    'starts from zero if %s decreased',
    (part) => {
      const before = { ...zero, input: 9, cached: 5, cache_write: 2, output: 5 };
      const now = { ...before, input: 20, cached: 10, cache_write: 4, output: 10, [part]: 1 };

      expect(growth(before, now)).toEqual(now);
    },
  );
});

describe('pillarsOf()', () => {
  test('subtracts cached and written tokens from the input', () => {
    expect(pillarsOf({ ...zero, input: 10, cached: 4, cache_write: 3, output: 2 })).toEqual({
      input: 3,
      output: 2,
      cache_write: 3,
      cache_read: 4,
    });
  });

  test('returns null if the parts exceed the input', () => {
    expect(pillarsOf({ ...zero, input: 10, cached: 11 })).toBeNull();
  });
});
