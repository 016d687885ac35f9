import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Pillars } from '#core/schema/usage.ts';
import { cascadeBar } from '../../src/charts/cascade-bar.ts';
import { ofClass, percent, shapesOf, textsOf } from '../support/pages/shapes.ts';

const PILLARS = ['input', 'output', 'cache_write', 'cache_read'] as const;
const draw = (
  input: number,
  output: number,
  cache_write: number | null,
  cache_read: number | null,
) => cascadeBar({ input, output, cache_write, cache_read }).svg;
const lengthOf = (svg: string, pillar: keyof Pillars) =>
  percent(ofClass(svg, pillar)[0]?.['width']);

describe('cascadeBar()', () => {
  test('shows the share of every token type in order', () => {
    const svg = draw(10, 20, 30, 40);
    expect(PILLARS.map((pillar) => lengthOf(svg, pillar))).toEqual([10, 20, 30, 40]);
    const starts = PILLARS.map((pillar) => percent(ofClass(svg, pillar)[0]?.['x']));
    expect(starts).toEqual([0, 10, 30, 60]);
    expect(textsOf(svg)).toEqual([
      '100 tokens',
      'Cache write 30%, 30',
      'Output 20%, 20',
      'Cache read 40%, 40',
      'Fresh input 10%, 10',
    ]);
  });

  test('lengthens tiny shares and says so', () => {
    const svg = draw(1_251_211, 11_296_121, 128_196_310, 2_555_179_769);
    expect(lengthOf(svg, 'input')).toBe(1);
    expect(lengthOf(svg, 'output')).toBe(1);
    expect(lengthOf(svg, 'cache_write')).toBeCloseTo(4.68, 1);
    expect(textsOf(svg)).toEqual([
      '2.7G tokens',
      'Cache read 94.8%, 2.56G',
      'Cache write 4.8%, 128M',
      'Output 0.4%, 11.3M',
      'Fresh input under 0.1%, 1.25M',
      'Shares under 1% are drawn as 1%',
    ]);
    expect(svg.match(/drawn as/g)).toHaveLength(1);
    expect(textsOf(draw(10, 20, 30, 40)).join()).not.toContain('drawn as');
  });

  test('distinguishes token types that are not reported from those without tokens', () => {
    expect(textsOf(draw(75, 25, null, 0))).toEqual([
      '100 tokens',
      'Fresh input 75%, 75',
      'Output 25%, 25',
      'Cache write: not reported',
      'Cache read: none',
    ]);
  });

  test('is empty without tokens', () => {
    expect(textsOf(draw(0, 0, null, null))).toEqual(['0 tokens']);
  });

  test('fills the whole width for any counts', () => {
    const count = fc.oneof(fc.constantFrom(0, 1, 9e14), fc.integer({ min: 0, max: 1e9 }));
    const maybe = fc.option(count);
    fc.assert(
      fc.property(fc.tuple(count, count, maybe, maybe), (counts) => {
        const lengths = shapesOf(draw(...counts)).flatMap(({ name, attributes }) =>
          name === 'rect' ? [percent(attributes['width'])] : [],
        );
        const whole = counts.some((one) => (one ?? 0) > 0) ? 100 : 0;
        expect(Math.abs(lengths.reduce((sum, one) => sum + one, 0) - whole)).toBeLessThan(0.1);
        expect(Math.min(...lengths, 100)).toBeGreaterThanOrEqual(0.99);
      }),
    );
  });
});
