import { expect, test } from 'vitest';
import { workedInterval, workedRanks } from '#components/method/worked-examples.ts';

test('the steps on the page lead to the interval that the board would show', () => {
  const { value, error, quantile, low, high, n } = workedInterval();

  expect(n).toBe(7);
  expect(Math.exp(Math.log(value) - quantile * error)).toBeCloseTo(low, 6);
  expect(Math.exp(Math.log(value) + quantile * error)).toBeCloseTo(high, 6);
});

test('the example ranks the steady operator before the lucky one', () => {
  const rows = workedRanks().map(({ codename, rank, from, to }) => [codename, rank, from, to]);

  expect(rows).toEqual([
    ['steady', 1, 1, 2],
    ['thin', 2, 1, 3],
    ['even', 3, 2, 3],
    ['new', 4, 4, 4],
  ]);
});
