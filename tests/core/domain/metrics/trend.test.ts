import { describe, expect, test } from 'vitest';
import { TREND_DAYS, trendOf } from '#core/domain/metrics/trend.ts';

const LAST = 20_000;
const counts = { input: 1_000, output: 2_000, cache_write: 500, cache_read: 4_000 };

describe('trendOf()', () => {
  test('has a value for each day, oldest first, and null on days without tokens', () => {
    const usage = [
      { day: LAST - TREND_DAYS, ...counts },
      { day: LAST - TREND_DAYS + 1, ...counts },
      { day: LAST, ...counts, output: 1_000 },
      { day: LAST + 1, ...counts },
    ];

    const trend = trendOf(usage, 'velocity', LAST);

    expect(trend).toHaveLength(30);
    expect([trend[0], trend[29]]).toEqual([2, 1]);
    expect(trend.slice(1, 29).every((value) => value === null)).toBe(true);
  });

  test('adds up the buckets of a day before it divides', () => {
    const usage = [
      { day: LAST, ...counts },
      { day: LAST, ...counts, input: 3_000 },
    ];

    expect(trendOf(usage, 'leverage', LAST).at(-1)).toBe(2);
  });

  test('leaves out buckets that do not report what the metric needs', () => {
    const silent = { day: LAST, ...counts, input: 9_000, cache_read: null };
    const usage = [{ day: LAST, ...counts }, silent, { ...silent, day: LAST - 1 }];

    expect(trendOf(usage, 'leverage', LAST).slice(-2)).toEqual([null, 4]);
    expect(trendOf(usage, 'velocity', LAST).slice(-2)).toEqual([2_000 / 9_000, 0.4].map(rounded));
  });

  test('is null if the value is undefined, and 0 if it is 0', () => {
    const usage = [
      { day: LAST - 1, ...counts, input: 0 },
      { day: LAST, ...counts, cache_read: 0 },
    ];

    expect(trendOf(usage, 'yield', LAST).slice(-2)).toEqual([null, 0]);
  });
});

function rounded(value: number): number {
  return Number(value.toPrecision(12));
}
