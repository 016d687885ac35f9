import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  METRIC_NAMES,
  exactMetrics,
  metricWarnings,
  recordMetrics,
} from '#core/domain/metrics/metrics.ts';
import { MAX_COUNT, type Pillars } from '#core/schema/usage.ts';
import vectors from '#tests/fixtures/vectors/metrics.json' with { type: 'json' };

const count = fc.oneof(fc.nat(3), fc.maxSafeNat());
const anyCounts: fc.Arbitrary<Pillars> = fc.record({
  input: count,
  output: count,
  cache_write: fc.option(count),
  cache_read: fc.option(count),
});

function someCounts(min: number, max: number): fc.Arbitrary<Pillars & { cache_read: number }> {
  const one = fc.integer({ min, max });
  return fc.record({ input: one, output: one, cache_write: one, cache_read: one });
}

function counts(over: Partial<Pillars>): Pillars {
  return { input: 1, output: 1, cache_write: 1, cache_read: 1, ...over };
}

describe('recordMetrics()', () => {
  test.each(vectors)('gives the published values: $name', ({ counts, record }) => {
    expect(recordMetrics(counts)).toStrictEqual(record);
  });

  test.each([
    ['leverage', 0.1, { input: 20, cache_read: 1 }],
    ['leverage', 0.2, { input: 100, cache_read: 15 }],
    ['leverage', 0, { input: 100, cache_read: 4 }],
    ['velocity', 1.001, { input: 2000, output: 2001 }],
    ['velocity', 1.004, { input: 2000, output: 2007 }],
    ['yield', 1.01, { input: 200, output: 200, cache_read: 201 }],
    ['yield', 0.01, { input: 20, output: 2, cache_read: 1 }],
    ['snr', 0.7001, { input: 5999, output: 14001 }],
    ['snr', 0.0001, { input: 19999, output: 1 }],
  ] as const)('rounds a tie of %s away from zero, to %d', (name, value, over) => {
    expect(recordMetrics(counts(over))[name]).toBe(value);
  });

  test.each([
    ['leverage', 450359962737049.3, { input: 20, cache_read: MAX_COUNT - 6 }],
    ['leverage', 450359962737049.5, { input: 20, cache_read: MAX_COUNT - 2 }],
    ['leverage', 450359962737049.6, { input: 20, cache_read: MAX_COUNT }],
    ['leverage', MAX_COUNT, { input: 1, cache_read: MAX_COUNT }],
    ['snr', 0.5, { input: MAX_COUNT, output: MAX_COUNT }],
    ['velocity', 1, { input: MAX_COUNT, output: MAX_COUNT - 1 }],
    ['yield', 1, { input: MAX_COUNT, output: MAX_COUNT, cache_read: MAX_COUNT }],
    ['yield', 8.112963841460666e31, { input: 1, output: MAX_COUNT, cache_read: MAX_COUNT }],
  ] as const)('decides %s = %d on exact values', (name, value, over) => {
    expect(recordMetrics(counts(over))[name]).toBe(value);
  });

  test.each([
    [0.01, 693787527578629, 685845807422240],
    [0, 1298149243932086, 1283289452415629],
    [0.3, 575284450404808, 285024790720091],
    [0.31, 1793100976012763, 888392220697779],
    [2.35, 1110293645130905, 5016927835541],
    [2.34, 1302199565321589, 5884066143530],
    [-0.01, 685845807422240, 693787527578629],
    [0, 1283289452415629, 1298149243932086],
    [-1.24, 33942730151740, 583105008107009],
    [-1.23, 102990510393109, 1769282616019627],
    [4, 1015250372044565, 102700641729],
    [3.99, 4753303410395901, 480834406982],
    [15.95, MAX_COUNT, 1],
    [-15.95, 1, MAX_COUNT],
    [0, MAX_COUNT, MAX_COUNT - 1],
  ])('gives dev10x %d for %d / %d, next to the boundary', (value, cache_read, input) => {
    expect(recordMetrics(counts({ cache_read, input })).dev10x).toBe(value);
  });

  test('is never infinite, NaN or -0, and has all five keys', () => {
    fc.assert(
      fc.property(anyCounts, (counts) => {
        const metrics = recordMetrics(counts);

        expect(Object.keys(metrics)).toEqual(METRIC_NAMES);
        expect(Object.values(metrics).every(isPlain)).toBe(true);
      }),
    );
  });

  test('depends only on the ratios of the counts', () => {
    const scene = fc.record({
      counts: someCounts(0, 2 ** 40),
      factor: fc.integer({ min: 2, max: 5000 }),
    });

    fc.assert(
      fc.property(scene, ({ counts, factor }) => {
        expect(recordMetrics(scaled(counts, factor))).toStrictEqual(recordMetrics(counts));
      }),
    );
  });

  test('differs from the unrounded value by at most half a unit', () => {
    fc.assert(
      fc.property(someCounts(1, 1000), (counts) => {
        const { leverage, velocity, snr, dev10x } = recordMetrics(counts);
        const exact = exactMetrics(counts);

        expect(distance(leverage, exact.leverage)).toBeLessThan(0.05 + 1e-9);
        expect(distance(velocity, exact.velocity)).toBeLessThan(0.0005 + 1e-9);
        expect(distance(snr, exact.snr)).toBeLessThan(0.00005 + 1e-9);
        expect(distance(dev10x, exact.dev10x)).toBeLessThan(0.005 + 1e-9);
      }),
    );
  });
});

describe('exactMetrics()', () => {
  test.each(vectors)('has 12 significant digits: $name', ({ counts, exact }) => {
    expect(exactMetrics(counts)).toStrictEqual(exact);
  });

  test('keeps its digits if the ratio is close to 1', () => {
    const { dev10x } = exactMetrics(counts({ input: 1_000_000, cache_read: 1_000_001 }));

    expect(dev10x).toBe(4.34294264756e-7);
  });

  test('is never infinite, NaN or -0', () => {
    fc.assert(
      fc.property(someCounts(0, 2 ** 51 - 1), (counts) => {
        expect(Object.values(exactMetrics(counts)).every(isPlain)).toBe(true);
      }),
    );
  });

  test('depends only on the ratios of the counts', () => {
    const scene = fc.record({
      counts: someCounts(0, 2 ** 40),
      factor: fc.integer({ min: 2, max: 2000 }),
    });

    fc.assert(
      fc.property(scene, ({ counts, factor }) => {
        expect(exactMetrics(scaled(counts, factor))).toStrictEqual(exactMetrics(counts));
      }),
    );
  });

  test('has two independent metrics: yield = leverage x velocity, 10^dev10x = leverage', () => {
    fc.assert(
      fc.property(someCounts(1, 2 ** 51 - 1), (counts) => {
        const metrics = exactMetrics(counts) as Record<string, number>;
        const { leverage = 0, velocity = 0, dev10x = 0 } = metrics;

        expect((leverage * velocity) / (metrics['yield'] ?? 0)).toBeCloseTo(1, 10);
        expect(10 ** dev10x / leverage).toBeCloseTo(1, 9);
      }),
    );
  });

  test('satisfies logit(snr) = ln(velocity)', () => {
    fc.assert(
      fc.property(someCounts(1, 1000), (counts) => {
        const { snr, velocity } = exactMetrics(counts);
        const odds = (snr as number) / (1 - (snr as number));

        expect(Math.log(odds)).toBeCloseTo(Math.log(velocity as number), 7);
      }),
    );
  });
});

describe('metricWarnings()', () => {
  test.each(vectors)('explains each null, causes first: $name', ({ counts, warnings }) => {
    expect(metricWarnings(counts)).toEqual(warnings);
  });

  test('has one line for each null of the record', () => {
    fc.assert(
      fc.property(anyCounts, (counts) => {
        const values = [...Object.values(recordMetrics(counts)), ...Object.values(counts)];
        const nulls = values.filter((value) => value === null);

        expect(metricWarnings(counts)).toHaveLength(nulls.length);
      }),
    );
  });
});

function isPlain(value: number | null): boolean {
  return value === null || (Number.isFinite(value) && !Object.is(value, -0));
}

function distance(a: number | null, b: number | null): number {
  return Math.abs((a ?? Number.NaN) - (b ?? Number.NaN));
}

function scaled(counts: Pillars, factor: number): Pillars {
  return {
    input: counts.input * factor,
    output: counts.output * factor,
    cache_write: (counts.cache_write ?? 0) * factor,
    cache_read: (counts.cache_read ?? 0) * factor,
  };
}
