import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cascadeOf, shapeOf } from '#core/domain/metrics/compute-metrics.ts';
import { exactMetrics } from '#core/domain/metrics/metrics.ts';
import { Cascade, Shape } from '#core/schema/operator.ts';

const CANONICAL = {
  input: 1_251_211,
  output: 11_296_121,
  cache_write: 128_196_310,
  cache_read: 2_555_179_769,
};

describe('cascadeOf()', () => {
  test('gives the stages of the canonical case', () => {
    const cascade = cascadeOf(CANONICAL);

    expect(Cascade.parse(cascade)).toEqual({
      transmission: 9.02815032796,
      commitment: 11.3487019128,
      reuse: 19.9317731454,
    });
  });

  test.each([
    ['input', { transmission: null, commitment: 3, reuse: 4 }, { input: 0 }],
    ['output', { transmission: 0, commitment: null, reuse: 4 }, { output: 0 }],
    ['cache writes', { transmission: 2, commitment: 0, reuse: null }, { cache_write: 0 }],
  ])('has no stage that would divide by zero %s', (_, stages, over) => {
    const counts = { input: 10, output: 20, cache_write: 60, cache_read: 240, ...over };

    expect(cascadeOf(counts)).toEqual(stages);
  });

  test('is null without tokens', () => {
    const nothing = { input: 0, output: 0, cache_write: null, cache_read: null };

    expect(cascadeOf(nothing)).toEqual({ transmission: null, commitment: null, reuse: null });
  });

  test('multiplies to leverage', () => {
    const count = fc.integer({ min: 1, max: 1e12 });

    fc.assert(
      fc.property(count, count, count, count, (input, output, cache_write, cache_read) => {
        const counts = { input, output, cache_write, cache_read };
        const { transmission, commitment, reuse } = cascadeOf(counts);
        const product = (transmission ?? 0) * (commitment ?? 0) * (reuse ?? 0);

        expect(product / (exactMetrics(counts).leverage ?? 0)).toBeCloseTo(1, 10);
      }),
    );
  });
});

describe('shapeOf()', () => {
  test('gives the shares of all tokens', () => {
    const shape = shapeOf({ input: 1, output: 2, cache_write: 3, cache_read: 4 });

    expect(Shape.parse(shape)).toEqual({
      input: 0.1,
      output: 0.2,
      cache_write: 0.3,
      cache_read: 0.4,
    });
  });

  test('keeps null for an unreported token type', () => {
    expect(shapeOf({ input: 1, output: 2, cache_write: null, cache_read: 0 })).toEqual({
      input: 0.333333333333,
      output: 0.666666666667,
      cache_write: null,
      cache_read: 0,
    });
  });
});
