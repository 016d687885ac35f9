import { describe, expect, test } from 'vitest';
import type { MetricName } from '#core/schema/record.ts';
import { sparkLine } from '../../src/charts/spark-line.ts';
import { shapesOf } from '../support/pages/shapes.ts';

const BOTTOM = 53;
const paths = (metric: MetricName, ...values: (number | null)[]) =>
  shapesOf(sparkLine({ metric, values }).svg)
    .filter(({ name }) => name === 'path')
    .map(({ attributes }) => attributes['d']);

describe('sparkLine()', () => {
  test('rises by equal steps for equal factors', () => {
    expect(paths('yield', 1, 10, 100)).toEqual([`M0 ${BOTTOM}l1-25 1-25`]);
    expect(paths('snr', 0, 0.5, 1)).toEqual([`M0 ${BOTTOM}l1-25 1-25`]);
  });

  test('has gaps, and a dot for a single day', () => {
    const [line, dots] = paths('yield', 1, 100, null, null, 10, null, 1, 1);
    expect(line).toBe(`M0 ${BOTTOM}l1-50M6 ${BOTTOM}l1 0`);
    expect(dots).toBe('M4 28h0');
  });

  test('draws zero as a dot at the bottom of a logarithmic axis', () => {
    expect(paths('leverage', 10, 1_000, 0)).toEqual([`M0 ${BOTTOM}l1-50`, `M2 ${BOTTOM}h0`]);
    expect(paths('leverage', 0, 0)).toEqual([`M0 ${BOTTOM}h0M1 ${BOTTOM}h0`]);
  });

  test('is empty without values, and centers a single day', () => {
    expect(paths('yield', null, null)).toEqual([]);
    expect(paths('yield')).toEqual([]);
    expect(paths('yield', 7)).toEqual(['M0 28h0']);
  });

  test('makes small differences look small', () => {
    const [line = ''] = paths('velocity', 100, 105, 100);
    const steps = [...line.matchAll(/1[ -](\d+)/g)].map(([, step]) => Number(step));
    expect(steps.length).toBe(2);
    expect(Math.max(...steps)).toBeLessThanOrEqual(2);
  });

  test('is short, because a page contains fifty', () => {
    const values = Array.from({ length: 30 }, (_, day) => 10 ** (3 + Math.sin(day * 2)));
    expect(sparkLine({ metric: 'yield', values }).svg.length).toBeLessThan(260);
  });
});
