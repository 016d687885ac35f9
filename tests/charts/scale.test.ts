import { describe, expect, test } from 'vitest';
import { type Measured, labelled, scaleOf } from '../../src/charts/scale.ts';

/** Values without an interval. */
const plain = (...values: (number | null)[]): Measured[] =>
  values.map((value) => ({ value, conservative: null, interval: null }));
const unsure = (value: number, low: number, high: number | null): Measured => {
  return { value, conservative: low, interval: [low, high] };
};

describe('scaleOf()', () => {
  test('spans whole decades around the values of a ratio', () => {
    const scale = scaleOf('yield', plain(3.5, 700, 18_436.98));
    expect(scale.ticks.map(({ label }) => label)).toEqual(['1', '10', '100', '1k', '10k', '100k']);
    expect(scale.ticks.map(({ at }) => at)).toEqual([0, 20, 40, 60, 80, 100]);
    expect(scale.mark({ value: 100, conservative: null, interval: null })).toEqual({
      dot: 40,
      bar: null,
      low: null,
      beyond: null,
    });
  });

  test('has no position for zero and null on a logarithmic scale', () => {
    const scale = scaleOf('leverage', plain(0, null, 20));
    expect(scale.mark({ value: 0, conservative: 0, interval: [0, 0] })).toEqual({
      dot: null,
      bar: null,
      low: null,
      beyond: 'below',
    });
    expect(scale.mark({ value: null, conservative: null, interval: null }).dot).toBeNull();
    expect(scale.mark({ value: 20, conservative: null, interval: null }).dot).toBeGreaterThan(0);
  });

  test('has two ticks if all values are one power of ten, or zero', () => {
    const labels = scaleOf('velocity', plain(10, 10)).ticks.map(({ label }) => label);
    expect(labels).toEqual(['10', '100']);
    expect(scaleOf('velocity', plain(0)).ticks).toHaveLength(2);
  });

  test('prints decades below one as decimals', () => {
    const { ticks } = scaleOf('velocity', plain(0.02, 4));
    expect(ticks.map(({ label }) => label)).toEqual(['0.01', '0.1', '1', '10']);
  });

  test('spans 0 to 1 for SNR, and whole numbers for Dev10x', () => {
    expect(scaleOf('snr', plain(0.9)).mark(unsure(0.25, 0.2, 0.5))).toEqual({
      dot: 25,
      bar: [20, 50],
      low: 20,
      beyond: null,
    });
    const dev10x = scaleOf('dev10x', plain(-0.3, 2.7));
    expect(dev10x.ticks.map(({ label }) => label)).toEqual(['-1', '0', '1', '2', '3']);
  });

  test('has room for intervals, but truncates very wide ones', () => {
    const known = unsure(100, 10, 1_000);
    const wild = unsure(100, 1e-9, 1e9);
    const endless = unsure(100, 0, null);

    expect(scaleOf('yield', [known]).ticks.map(({ label }) => label)).toEqual(['10', '100', '1k']);
    const scale = scaleOf('yield', [known, wild, endless]);
    expect(scale.ticks.map(({ label }) => label)).toEqual(['1', '10', '100', '1k']);
    expect(scale.mark(known)).toEqual({ dot: 66.7, bar: [33.3, 100], low: 33.3, beyond: null });
    expect(scale.mark(wild)).toEqual({ dot: 66.7, bar: [0, 100], low: null, beyond: null });
    expect(scale.mark(endless)).toEqual({ dot: 66.7, bar: [0, 100], low: null, beyond: null });
  });

  test('keeps the lower bound visible for any value', () => {
    const scale = scaleOf('yield', [unsure(1, 1, 1), unsure(1_000, 10, 1_000)]);
    expect(scale.mark(unsure(1_000, 10, 1_000))).toEqual({
      dot: 100,
      bar: [33.3, 100],
      low: 33.3,
      beyond: null,
    });
  });
});

describe('a scale for values that span more than six powers of ten', () => {
  const tiny = unsure(1e-7, 1e-8, 1e-6);
  const huge = unsure(1e17, 1e16, 1e18);
  const usual = [unsure(20, 10, 40), unsure(900, 500, 2_000), unsure(7_000, 6_000, 9_000)];
  const scale = scaleOf('yield', [huge, ...usual, tiny]);

  test('contains most values, and has arrows for the others', () => {
    expect(scale).toMatchObject({ ticks: scaleOf('yield', usual).ticks });
    expect(scale.mark(tiny)).toEqual({ dot: null, bar: null, low: null, beyond: 'below' });
    expect(scale.mark(huge)).toEqual({ dot: null, bar: null, low: null, beyond: 'above' });
    expect(usual.map((one) => scale.mark(one).beyond)).toEqual([null, null, null]);
  });

  test('contains all values on request', () => {
    const whole = scaleOf('yield', [...usual, tiny], Number.POSITIVE_INFINITY);
    expect(whole.mark(tiny)).toMatchObject({ dot: expect.any(Number) as number, beyond: null });
  });
});

describe('labelled()', () => {
  test('keeps at most six labels, including the first', () => {
    const { ticks } = scaleOf('yield', plain(1e-3, 1e8), 20);
    const labels = labelled(ticks).map(({ label }) => label);
    expect(labels.length).toBeLessThanOrEqual(6);
    expect(labels[0]).toBe('0.001');
  });
});
