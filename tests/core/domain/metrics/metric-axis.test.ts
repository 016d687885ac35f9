import { describe, expect, test } from 'vitest';
import { axisPosition, axisValue, roundStep } from '#core/domain/metrics/metric-axis.ts';

describe('axisPosition()', () => {
  test('is the logarithm of a ratio, and otherwise the value', () => {
    expect(axisPosition('yield', 1_000)).toBe(3);
    expect(axisPosition('velocity', 0.01)).toBe(-2);
    expect(axisPosition('snr', 0.25)).toBe(0.25);
    expect(axisPosition('dev10x', -1.5)).toBe(-1.5);
    expect(axisPosition('leverage', 0)).toBe(Number.NEGATIVE_INFINITY);
  });

  test('is the inverse of axisValue()', () => {
    expect(axisValue('leverage', axisPosition('leverage', 77.5))).toBe(77.5);
    expect(axisValue('snr', 0.3)).toBe(0.3);
  });
});

describe('roundStep()', () => {
  test('is the smallest 1, 2 or 5 times a power of ten that gives few enough steps', () => {
    const steps = [10, 11, 21, 51, 0.3, 1e-9].map((length) => roundStep(length, 10));
    expect(steps).toEqual([1, 2, 5, 10, 0.05, 1e-10]);
    expect(roundStep(0.1 + 0.2, 3)).toBe(0.1);
  });
});
