import { describe, expect, test } from 'vitest';
import { workedByDays, workedByWeeks, workedRanks } from '#components/method/worked-examples.ts';

describe('the steps on the page lead to the interval that the board would show', () => {
  test('under version 1', () => {
    const { value, error, quantile, low, high, conservative, n } = workedByDays();

    expect(n).toBe(7);
    expect(Math.exp(Math.log(value) - quantile * error)).toBeCloseTo(low, 6);
    expect(Math.exp(Math.log(value) + quantile * error)).toBeCloseTo(high, 6);
    expect(conservative).toBe(low);
  });

  test('under version 2', () => {
    const { value, concentration, spread, freedom, quantile, ...shown } = workedByWeeks();
    const half = quantile * spread * Math.sqrt(concentration);

    expect(freedom).toBeGreaterThan(4);
    expect(shown.half).toBeCloseTo(half, 12);
    expect(value * Math.exp(-half)).toBeCloseTo(shown.low, 6);
    expect(value * Math.exp(half)).toBeCloseTo(shown.high, 4);
    expect(value * (shown.low / value) ** 0.6).toBeCloseTo(shown.conservative, 6);
    expect(shown.days.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 12);
    expect(shown.days.reduce((sum, { influence }) => sum + influence, 0)).toBeCloseTo(0, 12);
  });
});

test.each([
  [
    1,
    [
      ['steady', 800, 1, 1, 2],
      ['thin', 600, 2, 1, 3],
      ['even', 500, 3, 2, 3],
      ['new', 90, 4, 4, 4],
    ],
  ],
  [
    2,
    [
      ['steady', 909, 1, 1, 2],
      ['thin', 792, 2, 1, 2],
      ['even', 534, 3, 3, 3],
      ['new', 115, 4, 4, 4],
    ],
  ],
])('version %d ranks the steady operator before the lucky one', (version, expected) => {
  const rows = workedRanks(version).map(({ codename, conservative, rank, from, to }) => {
    return [codename, Math.round(conservative), rank, from, to];
  });

  expect(rows).toEqual(expected);
});
