import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Distribution, distributionOf } from '#core/domain/metrics/distribution.ts';
import { medianOf } from '#core/domain/metrics/median.ts';
import { significant } from '#core/domain/metrics/metrics.ts';
import type { MetricName } from '#core/schema/record.ts';

const of = (metric: MetricName, ...values: number[]) =>
  distributionOf(metric, Float64Array.from(values)) as Distribution;
const binsOf = (metric: MetricName, ...values: number[]) =>
  of(metric, ...values).bins.map(({ from, to, count }) => [from, to, count]);

const ratio = fc.oneof(
  fc.constantFrom(0, 1e-16, 1e-9, 0.1, 1, 10, 100, 1e15),
  fc.double({ noNaN: true, min: 1e-9, max: 1e15 }),
);
const VALUES: Readonly<Record<MetricName, fc.Arbitrary<number>>> = {
  yield: ratio,
  leverage: ratio,
  velocity: ratio,
  snr: fc.oneof(fc.constantFrom(0, 0.5, 1), fc.double({ noNaN: true, min: 0, max: 1 })),
  dev10x: fc.double({ noNaN: true, min: -16, max: 16 }),
};
const case_ = fc
  .constantFrom<MetricName>('yield', 'leverage', 'velocity', 'snr', 'dev10x')
  .chain((metric) =>
    fc.tuple(fc.constant(metric), fc.array(VALUES[metric], { minLength: 5, maxLength: 60 })),
  );

describe('distributionOf()', () => {
  test('is null below five operators', () => {
    expect(distributionOf('yield', Float64Array.of(1, 2, 3, 4))).toBeNull();
    expect(of('yield', 1, 2, 3, 4, 5).total).toBe(5);
  });

  test('has the median, and the medians of both halves, as quartiles', () => {
    expect(of('dev10x', 1, 2, 3, 4, 5).quartiles).toEqual([2, 3, 4]);
    expect(of('dev10x', 6, 1, 5, 2, 4, 3).quartiles).toEqual([2, 3.5, 5]);
    expect(of('dev10x', 1, 2, 3, 4, 5, 6, 7, 8).quartiles).toEqual([2.5, 4.5, 6.5]);
  });

  test('has bins of equal factors on a logarithmic axis, starting at powers of ten', () => {
    expect(binsOf('yield', 1, 10, 99.9, 100, 5_000, 99_999)).toEqual([
      [1, 10, 1],
      [10, 100, 2],
      [100, 1_000, 1],
      [1_000, 10_000, 1],
      [10_000, 100_000, 1],
    ]);
  });

  test('has bins of equal length on a linear axis', () => {
    expect(binsOf('dev10x', -0.5, 0, 1, 1.5, 2)).toEqual([
      [-0.5, 0, 1],
      [0, 0.5, 1],
      [0.5, 1, 0],
      [1, 1.5, 1],
      [1.5, 2, 2],
    ]);
  });

  test('counts zeros separately on a logarithmic axis', () => {
    const { zeros, bins, quartiles, total } = of('leverage', 0, 0, 10, 20, 30);
    expect({ zeros, total, quartiles }).toEqual({ zeros: 2, total: 5, quartiles: [0, 10, 20] });
    expect(bins.reduce((sum, { count }) => sum + count, 0)).toBe(3);
    expect(of('leverage', 0, 0, 0, 0, 0)).toMatchObject({ zeros: 5, bins: [] });
    expect(of('snr', 0, 0, 0, 0, 0).zeros).toBe(0);
  });

  test('covers the six powers of ten with the most values, and counts the others', () => {
    const { bins, beyond, total } = of('yield', 1e-7, 10, 20, 300, 4_000, 50_000, 1e17, 1e18);
    expect({ beyond, total }).toEqual({ beyond: [1, 2], total: 8 });
    expect(bins[0]?.from).toBeGreaterThan(1e-7);
    expect(bins[0]?.from).toBeLessThanOrEqual(10);
    expect(bins.at(-1)?.to).toBeLessThan(1e9);
  });

  test('has one bin for equal values, and none beyond an snr of 1', () => {
    expect(binsOf('yield', 50, 50, 50, 50, 50)).toHaveLength(1);
    expect(binsOf('snr', 1, 1, 1, 1, 1)).toEqual([[0.99, 1, 5]]);
    expect(binsOf('snr', 0, 0, 0, 0, 0)).toEqual([[0, 0.01, 5]]);
  });

  test('puts every value into exactly one of at most forty bins without gaps', () => {
    fc.assert(
      fc.property(case_, ([metric, values]) => {
        const { bins, zeros, beyond, quartiles, total } = of(metric, ...values);
        const off = beyond[0] + beyond[1];
        expect(total).toBe(values.length);
        expect(quartiles[1]).toBe(medianOf(Float64Array.from(values)));
        expect(bins.length).toBeLessThanOrEqual(Math.min(40, 3 * Math.cbrt(total)) + 2);
        const placed = values.map(significant).filter((value) => zeros === 0 || value > 0);
        bins.forEach(({ from, to, count }, index) => {
          const isLast = index === bins.length - 1;
          const inside = (value: number) =>
            value >= from && (value < to || (isLast && value === to));
          expect(placed.filter(inside)).toHaveLength(count);
          expect(to).toBeGreaterThan(from);
          if (!isLast) expect(bins[index + 1]?.from).toBe(to);
        });
        expect(bins.reduce((sum, { count }) => sum + count, zeros + off)).toBe(total);
      }),
      { numRuns: 200 },
    );
  });

  test('does not depend on the order, and does not modify the values', () => {
    const values = Float64Array.of(5, 3, 100, 1, 40, 7);
    const before = values.slice();
    expect(distributionOf('yield', values)).toEqual(of('yield', ...values.toReversed()));
    expect(values).toEqual(before);
  });
});
