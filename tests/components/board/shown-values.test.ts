import { expect, test } from 'vitest';
import { randomOf } from '../../../scripts/random.mjs';
import { endText, shownValues } from '../../../src/components/board/shown-values.ts';
import { METRIC_NAMES } from '#core/domain/metrics/metrics.ts';

test.each([
  ['yield', [5481.83, 8862.45], '5,500'],
  ['yield', [5481.83, 5499.2], '5,482'],
  ['yield', [45.4, 2000], '45'],
  ['yield', [1234.5, null], '1,200'],
  ['yield', [12, 12], '12.00'],
  ['yield', [0.0312, 0.09], '0.031'],
  ['yield', [0, 3], '0.0'],
  ['yield', [3e12, 4e12], '3.00e12'],
  ['velocity', [7.376, 8.6], '7.4'],
  ['snr', [0.9012, 0.9134], '0.901'],
  ['dev10x', [2.136, 2.19], '2.14'],
  ['dev10x', [-0.52, 0.4], '-0.52'],
] as const)('%s of %j is shown as %s', (metric, interval, text) => {
  expect(shownValues(metric, [{ conservative: interval[0], interval }])).toEqual([text]);
});

test.each([
  [[5481.83, 8862.45], 'to\u00a08,900'],
  [[5481.83, 5499.2], 'to\u00a05,499'],
  [[8264.463, 8264.463], 'to\u00a08,264.46'],
  [[45.4, null], 'or more'],
  [null, ''],
] as const)('the upper bound of %j is shown as %j', (interval, text) => {
  expect(endText('yield', { conservative: interval?.[0] ?? null, interval })).toBe(text);
});

test('if the conservative value is not the lower bound, both bounds are shown', () => {
  const ranking = { conservative: 4100.2, interval: [3108.4, 8862.45] } as const;

  expect(shownValues('yield', [ranking])).toEqual(['4,100']);
  expect(endText('yield', ranking)).toBe('3,100 to\u00a08,900');
});

test('an undefined interval has no value', () => {
  expect(
    shownValues('yield', [
      { conservative: null, interval: null },
      { conservative: 5481.83, interval: [5481.83, 8862.45] },
    ]),
  ).toEqual(['–', '5,500']);
});

test('a neighbor gets more digits where rounded numbers would be out of order', () => {
  const wide = { conservative: 5441, interval: [5441, 9000] } as const;
  const wider = { conservative: 5481, interval: [5481, 9000] } as const;
  const narrow = { conservative: 5420, interval: [5420, 5423] } as const;

  expect(shownValues('yield', [wide, narrow])).toEqual(['5,440', '5,420.0']);
  expect(shownValues('yield', [wider, narrow])).toEqual(['5,500', '5,420.0']);
});

test.each(METRIC_NAMES)('%s: the numbers shown are in the order of the ranks', (metric) => {
  for (let seed = 1; seed <= 200; seed += 1) {
    const next = randomOf(seed);
    const lows = Array.from({ length: 50 }, () => 1 + 10 ** (4 * next())).sort((a, b) => b - a);
    const rows = lows.map((low) => ({
      conservative: low,
      interval: [low, low * (1 + next() ** 4)] as const,
    }));

    const shown = shownValues(metric, rows).map((text) => Number(text.replaceAll(',', '')));

    expect(shown).toEqual(shown.toSorted((a, b) => b - a));
    shown.forEach((value, at) => {
      expect(Math.abs(value / (lows[at] ?? 0) - 1)).toBeLessThan(0.06);
    });
  }
});
