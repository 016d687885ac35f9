import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type DayUsage, seriesOf } from '#core/domain/metrics/day-series.ts';
import type { Interval } from '#core/domain/metrics/interval.ts';
import { METRIC_NAMES } from '#core/domain/metrics/metrics.ts';
import { standingOf } from '#core/domain/metrics/standing.ts';
import { quantile975 } from '#core/domain/metrics/student-t.ts';
import type { MetricName } from '#core/schema/record.ts';
import { MAX_COUNT, type Pillars } from '#core/schema/usage.ts';

const FIRST = 20_000;
const SOURCE = { tool: 'claude-code', provider: 'p', model: 'm', trust: 'signed' } as const;
const EVEN = { input: 1000, output: 2000, cache_write: 3000, cache_read: 4000 };

/** Usage of one bucket a day. */
const daily = (...days: Partial<Pillars>[]): DayUsage[] =>
  days.map((counts, at) => ({ day: FIRST + at, source: SOURCE, ...EVEN, ...counts }));

function standing(usage: DayUsage[]) {
  return standingOf(seriesOf(usage), FIRST, FIRST + 99, { active_day_tokens: 1 });
}

const NONE = { yield: null, leverage: null, velocity: null, snr: null, dev10x: null };

const intervals = (...days: Partial<Pillars>[]) => standing(daily(...days))?.intervals;

describe('the interval', () => {
  test('of two days equals the formula by hand', () => {
    const days = daily({ output: 1000, cache_read: 9000 }, { output: 3000, cache_read: 1000 });
    const found = standing(days)?.intervals ?? NONE;

    // Without a day the output is three times or once the input: theta is ln 3 or 0, se = ln(3) / 2.
    const away = 3 ** (quantile975(1) / 2);
    const snrAt = (velocity: number) => velocity / (1 + velocity);
    expectClose(found.velocity, [2 / away, 2 * away]);
    expectClose(found.snr, [snrAt(2 / away), snrAt(2 * away)]);
    // Cache reads are one or nine times the input.
    const half = (quantile975(1) * Math.log10(9)) / 2;
    expectClose(found.dev10x, [Math.log10(5) - half, Math.log10(5) + half]);
  });

  test('is a single point if all days agree, whatever their size', () => {
    const days = [1, 7, 13, 333_333].map((times) => ({
      input: 3 * times,
      output: 7 * times,
      cache_write: 11 * times,
      cache_read: 13 * times,
    }));
    const { intervals: found, metrics } = standing(daily(...days)) ?? {};

    expect(METRIC_NAMES.map((name) => found?.[name])).toEqual(
      METRIC_NAMES.map((name) => [metrics?.[name], metrics?.[name]]),
    );
  });

  const OPEN = [0, null];
  const NOTHING = [0, 0];

  test.each<[string, Partial<Pillars>[], Partial<Record<MetricName, unknown>>]>([
    ['one day', [{}], { yield: OPEN, leverage: OPEN, velocity: OPEN, snr: OPEN, dev10x: null }],
    [
      'no output',
      [{ output: 0 }, { output: 0 }],
      { yield: NOTHING, velocity: NOTHING, snr: NOTHING, dev10x: null },
    ],
    [
      'no cache reads',
      [{ cache_read: 0 }, { cache_read: 0 }],
      { yield: NOTHING, leverage: NOTHING, dev10x: null },
    ],
    [
      'a day that has all the input',
      [{}, { input: 0 }],
      { yield: OPEN, leverage: OPEN, velocity: OPEN, snr: OPEN, dev10x: null },
    ],
    [
      'a day that has all the output',
      [{}, { output: 0 }],
      { yield: OPEN, velocity: OPEN, snr: OPEN, dev10x: null },
    ],
    [
      'a day that has all cache reads',
      [{}, { cache_read: 0 }],
      { yield: OPEN, leverage: OPEN, dev10x: null },
    ],
    ['a day that has all cache writes', [{}, { cache_write: 0 }], { dev10x: null }],
    ['no input', [{ input: 0 }, { input: 0 }], { ...NONE, snr: OPEN }],
    ['no cache writes reported', [{ cache_write: null }, { cache_write: null }], { dev10x: null }],
    [
      'no cache reads reported',
      [{ cache_read: null }, { cache_read: null }],
      { yield: null, leverage: null, dev10x: null },
    ],
    [
      'nothing reported but output',
      [{ input: 0, cache_write: null, cache_read: null }],
      { ...NONE, snr: OPEN },
    ],
  ])('has the right bounds with %s', (_, days, expected) => {
    expect(intervals(...days)).toMatchObject(expected);
  });

  test('of a metric leaves out the days that do not report what it needs', () => {
    const [first, second] = [{ output: 1500 }, { output: 2500, cache_read: 9000 }];
    const blind = { output: 50_000, cache_read: null };

    const found = intervals(first, blind, second);

    const seen = intervals(first, second);
    expect(found?.yield).toEqual(seen?.yield);
    expect(found?.dev10x).toEqual(seen?.dev10x);
    expect(found?.velocity).not.toEqual(seen?.velocity);
  });

  test('grows if a day differs from the others', () => {
    const even = [{ output: 1900 }, { output: 2100 }, { output: 2000 }];
    const width = (found: typeof intervals extends (...days: never) => infer R ? R : never) => {
      const [low = 0, high] = found?.velocity ?? [];
      return (high ?? Infinity) / low;
    };

    expect(width(intervals(...even, { output: 9000 }))).toBeGreaterThan(
      width(intervals(...even, { output: 2000 })),
    );
  });
});

/** A token count from 0 to the most that twenty buckets of four token types allow. */
const count = fc.oneof(fc.constant(0), fc.nat(20), fc.nat(1e6), fc.nat(Math.floor(MAX_COUNT / 80)));
const pillars = fc.record({
  input: count,
  output: count,
  cache_write: fc.option(count, { freq: 9 }),
  cache_read: fc.option(count, { freq: 9 }),
});
const anyUsage = fc
  .array(fc.record({ ago: fc.nat(12), counts: pillars }), { minLength: 1, maxLength: 20 })
  .map((drawn) =>
    drawn
      .map(({ ago, counts }): DayUsage => ({ day: FIRST + ago, source: SOURCE, ...counts }))
      .sort((a, b) => a.day - b.day),
  );

describe('any interval', () => {
  test('equals the definition, for each metric', () => {
    fc.assert(
      fc.property(anyUsage, (usage) => {
        const found = standing(usage);
        if (!found) return;
        for (const metric of METRIC_NAMES) {
          expectClose(found.intervals[metric], definedInterval(metric, usage));
        }
      }),
      { numRuns: 400 },
    );
  });

  test('contains its value, has 12 significant digits and exists whenever the value does', () => {
    fc.assert(
      fc.property(anyUsage, (usage) => {
        const found = standing(usage);
        for (const metric of METRIC_NAMES) {
          expectSound(metric, found?.metrics[metric] ?? null, found?.intervals[metric] ?? null);
        }
      }),
      { numRuns: 400 },
    );
  });
});

describe('a very narrow interval', () => {
  const large = fc.integer({ min: 1e12, max: 1e13 });
  const base = fc.record({ input: large, output: large, cache_write: large, cache_read: large });

  test('is exactly the value if the days are equal', () => {
    fc.assert(
      fc.property(base, (day) => {
        const found = standing(daily(day, day, day));

        for (const metric of METRIC_NAMES) {
          const value = found?.metrics[metric];
          expect(found?.intervals[metric]).toEqual([value, value]);
        }
      }),
      { numRuns: 1000 },
    );
  });

  test('contains the value if the days differ by one token', () => {
    fc.assert(
      fc.property(base, (day) => {
        const found = standing(daily(day, day, { ...day, output: day.output + 1 }));

        expectSound('velocity', found?.metrics.velocity ?? null, found?.intervals.velocity ?? null);
      }),
      { numRuns: 1000 },
    );
  });
});

function expectSound(metric: MetricName, value: number | null, interval: Interval | null): void {
  const mayLack = value === null || metric === 'dev10x';
  expect(interval !== null || mayLack).toBe(true);
  expect(interval === null || value !== null).toBe(true);
  if (interval === null || value === null) return;
  const [low, high] = interval;
  expect(low).toBeLessThanOrEqual(value);
  expect(high ?? Infinity).toBeGreaterThanOrEqual(value);
  expect(metric === 'dev10x' || low >= 0).toBe(true);
  for (const end of [low, high ?? 0]) expect(Number(end.toPrecision(12))).toBe(end);
}

/** For each metric: the required counts, the formula, and the symmetric scale. */
const DEFINED: Record<
  MetricName,
  {
    needs: readonly (keyof Pillars)[];
    theta: (of: Record<keyof Pillars, number>) => number;
    back: (theta: number) => number;
  }
> = {
  yield: {
    needs: ['cache_read'],
    theta: ({ input, output, cache_read }) => Math.log((cache_read / input) * (output / input)),
    back: Math.exp,
  },
  leverage: {
    needs: ['cache_read'],
    theta: ({ input, cache_read }) => Math.log(cache_read / input),
    back: Math.exp,
  },
  velocity: {
    needs: [],
    theta: ({ input, output }) => Math.log(output / input),
    back: Math.exp,
  },
  snr: {
    needs: [],
    theta: ({ input, output }) => Math.log(output / (input + output) / (input / (input + output))),
    back: (theta) => Math.exp(theta) / (1 + Math.exp(theta)),
  },
  dev10x: {
    needs: ['cache_write', 'cache_read'],
    theta: ({ input, output, cache_write, cache_read }) =>
      Math.min(input, output, cache_write, cache_read) > 0
        ? Math.log10(cache_read / input)
        : Number.NaN,
    back: (theta) => theta,
  },
};

/** The interval by its definition: every estimate summed separately, in exact integers. */
function definedInterval(metric: MetricName, usage: readonly DayUsage[]): Interval | null {
  const { needs, theta, back } = DEFINED[metric];
  const used = usage
    .filter((bucket) => needs.every((pillar) => bucket[pillar] !== null))
    .filter(
      (bucket) => sum([bucket.input, bucket.output, bucket.cache_write, bucket.cache_read]) > 0,
    );
  const without = (day: number | null) => {
    const rest = used.filter((bucket) => bucket.day !== day);
    const [input = 0, output = 0, cache_write = 0, cache_read = 0] = (
      ['input', 'output', 'cache_write', 'cache_read'] as const
    ).map((pillar) => sum(rest.map((bucket) => bucket[pillar])));
    return { input, output, cache_write, cache_read };
  };
  const { input, output, cache_write, cache_read } = without(null);
  const isDefined = {
    yield: input > 0,
    leverage: input > 0,
    velocity: input > 0,
    snr: input + output > 0,
    dev10x: Math.min(input, output, cache_write, cache_read) > 0,
  }[metric];
  if (!isDefined || used.length === 0) return null;
  const isZero = {
    yield: cache_read === 0 || output === 0,
    leverage: cache_read === 0,
    velocity: output === 0,
    snr: output === 0,
    dev10x: false,
  }[metric];
  if (isZero) return [0, 0];
  const days = [...new Set(used.map(({ day }) => day))];
  const n = days.length;
  const whole = theta(without(null));
  const thetas = days.map((day) => theta(without(day)));
  if (n < 2 || ![whole, ...thetas].every(Number.isFinite)) {
    return metric === 'dev10x' ? null : [0, null];
  }
  const mean = thetas.reduce((a, b) => a + b, 0) / n;
  const se = Math.sqrt(((n - 1) / n) * thetas.reduce((a, b) => a + (b - mean) ** 2, 0));
  const half = quantile975(n - 1) * se;
  return [back(whole - half), back(whole + half)];
}

function sum(counts: readonly (number | null)[]): number {
  return Number(counts.reduce((total, one) => total + BigInt(one ?? 0), 0n));
}

/** Equal to nine digits, the precision that exp and log keep at the ends of the scale. */
function expectClose(found: Interval | null, expected: Interval | null): void {
  if (found === null || expected === null) return expect(found).toEqual(expected);
  const [[low, high], [wantedLow, wantedHigh]] = [found, expected];
  expect(Math.abs(low - wantedLow)).toBeLessThanOrEqual(1e-9 * Math.abs(wantedLow) + 1e-300);
  // exp(x) / (1 + exp(x)) is NaN if exp(x) is infinite.
  if (wantedHigh === null || !Number.isFinite(wantedHigh)) {
    return expect(high === null || high === 1).toBe(true);
  }
  expect(Math.abs((high ?? Infinity) - wantedHigh)).toBeLessThanOrEqual(
    1e-9 * Math.abs(wantedHigh),
  );
}
