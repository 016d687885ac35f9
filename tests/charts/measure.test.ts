import { describe, expect, test } from 'vitest';
import { measure } from '../../src/charts/measure.ts';
import { ofClass, percent, shapesOf, textsOf } from '../support/pages/shapes.ts';

const MEASURED = { value: 100, conservative: 10, interval: [10, 1_000] } as const;
const KNOWN = { metric: 'yield', ...MEASURED, median: 1 } as const;
const descOf = (svg: string) => shapesOf(svg)[2]?.text;

describe('measure()', () => {
  test('draws value, interval and median on one scale', () => {
    const { svg } = measure(KNOWN);
    expect(ofClass(svg, 'bar').map(({ x1, x2 }) => [x1, x2])).toEqual([['33.3%', '100%']]);
    expect(percent(ofClass(svg, 'dot')[0]?.['cx'])).toBe(66.7);
    expect(percent(ofClass(svg, 'low')[0]?.['x1'])).toBe(33.3);
    expect(percent(ofClass(svg, 'median')[0]?.['x1'])).toBe(0);
    expect(textsOf(svg)).toEqual(['1', '10', '100', '1k', 'median 1']);
  });

  test('omits missing values, and says so', () => {
    const none = measure({ ...KNOWN, value: null, conservative: null, interval: null });
    expect(ofClass(none.svg, 'dot')).toEqual([]);
    expect(descOf(none.svg)).toBe('The value is undefined. The median is 1.');
    const alone = measure({ ...KNOWN, interval: [10, null], median: null });
    expect(ofClass(alone.svg, 'median')).toEqual([]);
    expect(descOf(alone.svg)).toBe(
      'The value is 100, its 95% interval 10 without an upper end. The board has no median.',
    );
  });

  test('has few labels', () => {
    const wild = measure({
      metric: 'leverage',
      value: 1e15,
      conservative: null,
      interval: null,
      median: 1e-9,
    });
    expect(textsOf(wild.svg).length).toBeLessThanOrEqual(5);
  });
});
