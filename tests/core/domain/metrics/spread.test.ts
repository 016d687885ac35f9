import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Spread, spreadOf } from '#core/domain/metrics/spread.ts';

const of = (pairs: readonly (readonly [number, number])[]) =>
  spreadOf(
    Float64Array.from(pairs, ([leverage]) => leverage),
    Float64Array.from(pairs, ([, velocity]) => velocity),
  ) as Spread;
const ratio = fc.oneof(
  fc.constantFrom(0, 1e-16, 1, 1e16),
  fc.double({ noNaN: true, min: 1e-9, max: 1e15 }),
);

describe('spreadOf()', () => {
  test('is null below five operators', () => {
    expect(spreadOf(Float64Array.of(1, 2, 3, 4), Float64Array.of(1, 2, 3, 4))).toBeNull();
  });

  test('keeps the place of an operator who is alone, and groups equal ones', () => {
    const spread = of([
      [100, 3],
      [2_000, 0.5],
      [50, 9],
      [100, 3],
      [70, 1],
    ]);
    expect(spread).toEqual({
      total: 5,
      zeros: 0,
      points: [
        { leverage: 50, velocity: 9, count: 1 },
        { leverage: 70, velocity: 1, count: 1 },
        { leverage: 100, velocity: 3, count: 2 },
        { leverage: 2_000, velocity: 0.5, count: 1 },
      ],
      medians: { leverage: 100, velocity: 3 },
    });
  });

  test('counts zeros separately, but includes them in the medians', () => {
    const spread = of([
      [0, 1],
      [0, 2],
      [0, 3],
      [10, 0],
      [20, 5],
    ]);
    expect(spread).toMatchObject({ total: 5, zeros: 4, medians: { leverage: 0, velocity: 2 } });
    expect(spread.points).toEqual([{ leverage: 20, velocity: 5, count: 1 }]);
  });

  test('has at most a thousand points, and every operator in one', () => {
    const lots = Array.from({ length: 5_000 }, (_, at) => {
      return [10 ** ((at % 71) / 15), 10 ** ((at % 73) / 20)] as const;
    });
    const { points } = of(lots);
    expect(points.length).toBeLessThanOrEqual(1_000);
    expect(points.length).toBeGreaterThan(100);
    expect(points.reduce((sum, { count }) => sum + count, 0)).toBe(5_000);

    fc.assert(
      fc.property(fc.array(fc.tuple(ratio, ratio), { minLength: 5, maxLength: 40 }), (pairs) => {
        const spread = of(pairs);
        const placed = spread.points.reduce((sum, { count }) => sum + count, 0);
        expect(placed + spread.zeros).toBe(pairs.length);
        for (const { leverage, velocity } of spread.points) {
          expect(leverage * velocity).toBeGreaterThan(0);
        }
      }),
    );
  });
});
