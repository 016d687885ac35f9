import { describe, expect, test } from 'vitest';
import { labelled, scaleOf } from '../../src/components/scale.ts';

describe('scaleOf()', () => {
  test('spans whole decades around the values of a ratio', () => {
    const scale = scaleOf('yield', [3.5, 700, 18_436.98]);
    expect(scale.ticks.map(({ label }) => label)).toEqual(['1', '10', '100', '1k', '10k', '100k']);
    expect(scale.ticks.map(({ at }) => at)).toEqual([0, 20, 40, 60, 80, 100]);
    expect(scale.place(100)).toBe(40);
  });

  test('gives no place on a logarithmic scale to zero and to null', () => {
    const scale = scaleOf('leverage', [0, null, 20]);
    expect(scale.place(0)).toBeNull();
    expect(scale.place(null)).toBeNull();
    expect(scale.place(20)).toBeGreaterThan(0);
  });

  test('has two ticks where all values are one power of ten, or zero', () => {
    expect(scaleOf('velocity', [10, 10]).ticks.map(({ label }) => label)).toEqual(['10', '100']);
    expect(scaleOf('velocity', [0]).ticks).toHaveLength(2);
  });

  test('prints decades below one as decimals', () => {
    const { ticks } = scaleOf('velocity', [0.02, 4]);
    expect(ticks.map(({ label }) => label)).toEqual(['0.01', '0.1', '1', '10']);
  });

  test('runs from 0 to 1 for snr, and over whole numbers for dev10x', () => {
    expect(scaleOf('snr', [0.9]).place(0.25)).toBe(25);
    const dev10x = scaleOf('dev10x', [-0.3, 2.7]);
    expect(dev10x.ticks.map(({ label }) => label)).toEqual(['-1', '0', '1', '2', '3']);
  });
});

describe('labelled()', () => {
  test('keeps at most six labels, the first among them', () => {
    const { ticks } = scaleOf('yield', [1e-3, 1e8]);
    const labels = labelled(ticks).map(({ label }) => label);
    expect(labels.length).toBeLessThanOrEqual(6);
    expect(labels[0]).toBe('0.001');
  });
});
