import { describe, expect, test } from 'vitest';
import { growth, pillarsOf, readTokens } from '#core/readers/codex-file.ts';

const zero = { input: 0, cached: null, cache_write: null, output: 0, reasoning: 0, total: 0 };

describe('readTokens()', () => {
  test('takes absent parts as unreported and absent sums as zero', () => {
    expect(readTokens({})).toEqual(zero);
  });

  test.each(['input_tokens', 'cached_input_tokens', 'cache_write_input_tokens', 'total_tokens'])(
    'gives null for an impossible %s',
    (name) => {
      expect(readTokens({ input_tokens: 5, [name]: -1 })).toBeNull();
    },
  );
});

describe('growth()', () => {
  test('is everything at first', () => {
    expect(growth(null, { ...zero, input: 5 })).toEqual({ ...zero, input: 5 });
  });

  test('subtracts what was there, also where a part was not reported yet', () => {
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
    'starts anew where %s went back',
    (part) => {
      const before = { ...zero, input: 9, cached: 5, cache_write: 2, output: 5 };
      const now = { ...before, input: 20, cached: 10, cache_write: 4, output: 10, [part]: 1 };

      expect(growth(before, now)).toEqual(now);
    },
  );
});

describe('pillarsOf()', () => {
  test('takes the cached and the written part out of the input', () => {
    expect(pillarsOf({ ...zero, input: 10, cached: 4, cache_write: 3, output: 2 })).toEqual({
      input: 3,
      output: 2,
      cache_write: 3,
      cache_read: 4,
    });
  });

  test('gives null where the parts are more than the input', () => {
    expect(pillarsOf({ ...zero, input: 10, cached: 11 })).toBeNull();
  });
});
