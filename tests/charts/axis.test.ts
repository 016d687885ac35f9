import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { MetricName } from '#core/schema/record.ts';
import { axisOf, axisTitle } from '../../src/charts/axis.ts';

const labels = (metric: MetricName, ...values: (number | null)[]) =>
  axisOf({ metric, values }).ticks.map(({ label }) => label);

describe('axisOf()', () => {
  test('places equal factors at equal distances on a logarithmic axis', () => {
    const { at, ticks } = axisOf({ metric: 'yield', values: [1, 10_000] });
    expect([1, 10, 100, 1_000, 10_000].map(at)).toEqual([0, 25, 50, 75, 100]);
    expect(ticks.map(({ at: place, label }) => [place, label])).toEqual([
      [0, '1'],
      [25, '10'],
      [50, '100'],
      [75, '1k'],
      [100, '10k'],
    ]);
  });

  test('places equal differences at equal distances on a linear axis, from the requested start', () => {
    const { at } = axisOf({ metric: 'dev10x', values: [-1, 3], from: 20 });
    expect([-1, 1, 3].map(at)).toEqual([20, 60, 100]);
  });

  test('has no position for null, or for zero on a logarithmic axis', () => {
    const { at } = axisOf({ metric: 'leverage', values: [0, null, 5, 50] });
    expect([0, null].map(at)).toEqual([null, null]);
    expect(axisOf({ metric: 'snr', values: [0, 1] }).at(0)).toBe(0);
    expect(axisOf({ metric: 'yield', values: [0, null] })).toMatchObject({ ticks: [] });
  });

  test('has ticks within one power of ten, and skips some of many', () => {
    expect(labels('yield', 1_200, 1_500)).toEqual(['1k', '1.5k', '2k']);
    expect(labels('yield', 100, 5_000)).toEqual(['100', '200', '500', '1k', '2k', '5k']);
    expect(labels('yield', 10, 4_000)).toEqual(['10', '30', '100', '300', '1k', '3k']);
    expect(labels('yield', 1e-9, 1e15)).toEqual(['1e-8', '0.0001', '1', '10k', '100M', '1T']);
    expect(labels('snr', 0.98, 0.99)).toEqual(['0.94', '0.96', '0.98', '1']);
  });

  test('makes small differences look small', () => {
    const { at } = axisOf({ metric: 'velocity', values: [100, 101] });
    expect((at(101) ?? 0) - (at(100) ?? 0)).toBeLessThan(1);
    expect(axisOf({ metric: 'velocity', values: [100] }).at(100)).toBe(50);
  });

  test('ends the SNR axis at 0 and 1', () => {
    const { ticks } = axisOf({ metric: 'snr', values: [0, 1], margin: 0.2 });
    expect(ticks.map(({ at }) => at)).toEqual(
      [0, 20, 40, 60, 80, 100].map((place) => expect.closeTo(place)),
    );
  });

  test('has one to six ascending ticks for any values', () => {
    const value = fc.oneof(
      fc.constantFrom(1e-16, 1e-9, 1, 1e15),
      fc.double({ min: 1e-9, max: 1e15, noNaN: true }),
    );
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 6 }), (values) => {
        const { ticks, at } = axisOf({ metric: 'yield', values });
        const places = ticks.map((tick) => tick.at);
        expect(places.length).toBeGreaterThanOrEqual(1);
        expect(places.length).toBeLessThanOrEqual(7);
        expect(places).toEqual(places.toSorted((a, b) => a - b));
        const all = [...places, ...values.map((one) => at(one) ?? 0)];
        expect(Math.min(...all)).toBeGreaterThanOrEqual(-1e-6);
        expect(Math.max(...all)).toBeLessThanOrEqual(100 + 1e-6);
      }),
      { numRuns: 300 },
    );
  });
});

test('axisTitle() mentions a log scale', () => {
  expect(axisTitle('yield', 'Yield')).toBe('Yield, log scale');
  expect(axisTitle('dev10x', 'Dev10x')).toBe('Dev10x');
});
