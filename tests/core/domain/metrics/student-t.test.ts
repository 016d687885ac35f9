import { describe, expect, test } from 'vitest';
import { quantile975 } from '#core/domain/metrics/student-t.ts';

describe('quantile975()', () => {
  // To 15 digits by quadrature with 50 digits; the first are in every printed table.
  test.each([
    [1, 12.7062047361747],
    [2, 4.30265272974946],
    [3, 3.18244630528371],
    [5, 2.57058183563632],
    [10, 2.22813885198627],
    [30, 2.04227245630124],
    [100, 1.98397151852355],
    [1000, 1.96233908082641],
  ])('with %d degrees of freedom is %d', (freedom, quantile) => {
    expect(Math.abs(quantile975(freedom) - quantile)).toBeLessThan(1e-10);
  });

  test('equals the closed forms for one and two', () => {
    expect(quantile975(1)).toBeCloseTo(Math.tan(0.475 * Math.PI), 10);
    expect(quantile975(2)).toBeCloseTo((0.95 * Math.SQRT2) / Math.sqrt(1 - 0.95 ** 2), 10);
  });

  test('decreases towards the normal quantile', () => {
    const quantiles = Array.from({ length: 1500 }, (_, index) => quantile975(index + 1));

    const falls = quantiles.every(
      (quantile, at) => at === 0 || quantile < (quantiles[at - 1] ?? 0),
    );
    expect(falls).toBe(true);
    expect(quantiles.at(-1)).toBeGreaterThan(1.959963984540054);
    expect(quantiles.at(-1)).toBeLessThan(1.9616);
  });

  test('has 12 significant digits, so that all engines agree', () => {
    const quantiles = Array.from({ length: 400 }, (_, index) => quantile975(index + 1));

    expect(quantiles).toEqual(quantiles.map((quantile) => Number(quantile.toPrecision(12))));
  });
});
