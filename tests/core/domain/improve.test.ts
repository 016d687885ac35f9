import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dayNumber } from '#core/domain/day.ts';
import type { DayUsage } from '#core/domain/day-series.ts';
import { improvementsOf } from '#core/domain/improve.ts';
import { exactMetric } from '#core/domain/metrics.ts';
import { Diagnosis, type LeakName, type NextClass } from '#core/schema/improvement.ts';
import type { Pillars } from '#core/schema/usage.ts';

const TO = dayNumber('2026-03-10');
const GOOD: Pillars = { input: 1000, output: 4000, cache_write: 20_000, cache_read: 400_000 };

/** One tool's day, so many days before the last. */
function aDay(ago: number, over: Partial<Pillars> = {}, model = 'opus', tool = 'cli'): DayUsage {
  const source = { tool, provider: 'acme', model, trust: 'signed' } as const;
  return { ...GOOD, ...over, day: TO - ago, source };
}

/** Twelve days, of which every third one differs. */
function twelve(over: Partial<Pillars>): DayUsage[] {
  return Array.from({ length: 12 }, (_, ago) => aDay(ago, ago % 3 === 0 ? over : {}));
}

function diagnose(usage: readonly DayUsage[], nextClass: NextClass | null = null): Diagnosis {
  const span = { first: TO - 89, last: TO, activeDayTokens: 10_000 };
  return Diagnosis.parse(improvementsOf({ usage, ...span, nextClass }));
}

function find(usage: readonly DayUsage[], leak: LeakName, nextClass: NextClass | null = null) {
  return diagnose(usage, nextClass).entries.find((entry) => entry.leak === leak);
}

describe('a leak', () => {
  test('of fresh input: what the good days read from the cache', () => {
    const diagnosed = diagnose(twelve({ input: 5000, cache_read: 396_000 }));
    const [found] = diagnosed.entries;

    expect(found).toMatchObject({
      leak: 'fresh_input',
      tool: 'cli',
      target: { ratio: 'leverage', value: 400, from: 'own_best_quartile' },
      evidence: { days: 4, days_measured: 12, value: 79.2 },
      attainability: 0.666666666667,
      reached_on: [{ day: '2026-03-09', value: 400 }, {}, {}, {}, {}],
    });
    expect(found?.evidence.worst[0]).toEqual({
      day: '2026-03-10',
      model: 'opus',
      ...{ input: 5000, output: 4000, cache_write: 20_000, cache_read: 396_000 },
      value: 79.2,
    });
    // (400 x 5000 - 396000) / 401 tokens of each go from input to the cache, which makes all days alike.
    expect(found?.evidence.tokens).toBe(4 * 4000);
    expect(found?.simulated).toEqual({ yield: 1600, leverage: 400, velocity: 4 });
    expect(found?.gain).toBeCloseTo(Math.log(1600 / (diagnosed.present.yield ?? 0)), 10);
  });

  test('of cache writes that were not read, on long days', () => {
    const found = find(twelve({ cache_write: 80_000, cache_read: 340_000 }), 'unread_cache_writes');

    expect(found).toMatchObject({
      target: { ratio: 'reuse', value: 20 },
      evidence: { days: 4, value: 4.25 },
    });
    expect(found?.evidence.tokens).toBe(4 * 60_000);
  });

  test('of short days that pay for a cache: not the same as long ones', () => {
    const cold = twelve({ input: 100, output: 400, cache_write: 30_000, cache_read: 20_000 });

    expect(find(cold, 'cold_short_days')).toMatchObject({
      target: { ratio: 'reuse', value: 20 },
      evidence: { days: 4, days_measured: 12 },
    });
    expect(find(cold, 'unread_cache_writes')).toBeUndefined();
  });

  test('of transmission: the same output of a smaller conversation, with leverage as it was', () => {
    const found = find(twelve({ output: 1000 }), 'low_transmission');

    expect(found).toMatchObject({
      target: { ratio: 'velocity', value: 4 },
      evidence: { days: 4, value: 1, tokens: 4 * 750 },
      simulated: { leverage: 400, velocity: 4 },
    });
  });

  test('names the model with most of what leaks', () => {
    const usage = [...twelve({}), ...[0, 1, 2].map((ago) => aDay(ago, { input: 9000 }, 'haiku'))];

    const worst = find(usage, 'fresh_input')?.evidence.worst ?? [];

    expect(worst.map(({ day, model, input }) => [day, model, input])).toEqual([
      ['2026-03-10', 'haiku', 10_000],
      ['2026-03-09', 'haiku', 10_000],
      ['2026-03-08', 'haiku', 10_000],
    ]);
  });
});

describe('the target', () => {
  const medians = (leverage: number): NextClass => ({
    class_tier: 'delta',
    medians: [{ tool: 'cli', leverage, velocity: null }],
  });
  const days = twelve({ input: 5000 });

  test.each([
    [300, 300, 'next_class_median'],
    [500, 400, 'own_best_quartile'],
    // All days together have 171.4 already.
    [100, 400, 'own_best_quartile'],
  ])('is the nearer: a median of %d makes %d', (median, value, from) => {
    expect(find(days, 'fresh_input', medians(median))?.target).toMatchObject({ value, from });
  });

  test('is each tool its own', () => {
    const other = Array.from({ length: 12 }, (_, ago) => aDay(ago, { cache_read: 9000 }, 'x', 'b'));

    const { entries } = diagnose([...days, ...other]);

    expect(entries.filter(({ leak }) => leak === 'fresh_input')).toMatchObject([{ tool: 'cli' }]);
  });
});

describe('a promise', () => {
  const count = (max: number) => fc.integer({ min: 0, max });
  const anyDay = fc.record({
    ago: count(40),
    input: count(20_000),
    output: count(20_000),
    cache_write: fc.option(count(100_000)),
    cache_read: fc.option(count(1_000_000)),
    model: fc.constantFrom('a', 'b'),
  });

  test('is never beyond what own days reached, for any days', () => {
    fc.assert(
      fc.property(fc.array(anyDay, { maxLength: 60 }), (days) => {
        const usage = days.map(({ ago, model, ...counts }) => aDay(ago, counts, model));
        usage.sort((a, b) => a.day - b.day);
        const { present, entries } = diagnose(usage);
        const byDay = [...Map.groupBy(usage, ({ day }) => day).values()];
        const best = Math.max(0, ...byDay.map((ofDay) => metricOf(ofDay, 'yield')));
        return entries.every(({ simulated, attainability, gain, score }) => {
          const bound = Math.max(best, present.yield ?? 0);
          const isBound = (simulated.yield ?? 0) <= bound * (1 + 1e-9);
          return isBound && attainability >= 0.25 && gain > 0 && score <= gain;
        });
      }),
      { numRuns: 500 },
    );
  });

  test('comes by what it brings times how often the caller reached it', () => {
    const usage = Array.from({ length: 12 }, (_, ago) => {
      if (ago < 3) return aDay(ago, { cache_read: 500_000 });
      return aDay(ago, { output: ago < 6 ? 1500 : 4000 });
    });

    const { entries } = diagnose(usage);

    const order = entries.map(({ leak, attainability }) => [leak, attainability]);
    expect(order).toEqual([
      ['low_transmission', 0.75],
      ['fresh_input', 0.25],
      ['unread_cache_writes', 0.25],
    ]);
    expect(entries[0]?.gain).toBeLessThan(entries[1]?.gain ?? 0);
    expect(diagnose([...usage].reverse()).entries).toEqual(entries);
  });
});

describe('too little', () => {
  test.each([
    ['no_tokens', [], null],
    ['no_tokens', [aDay(90)], null],
    ['yield_undefined', twelve({}).map((day) => ({ ...day, cache_read: null })), null],
    ['yield_zero', twelve({}).map((day) => ({ ...day, cache_read: 0 })), null],
    ['days_low', twelve({ input: 5000 }).slice(0, 7), 7],
    ['days_low', twelve({}).map((day) => ({ ...day, cache_read: 100, cache_write: 0 })), 0],
    ['nothing_to_gain', twelve({}), null],
  ])('%s', (code, usage, actual) => {
    const required = actual === null ? null : 8;
    expect(diagnose(usage)).toMatchObject({
      empty_because: { code, required, actual },
      total: 0,
      entries: [],
    });
  });
});

function metricOf(buckets: readonly DayUsage[], metric: 'yield'): number {
  const sum = { input: 0, output: 0, cache_write: null, cache_read: 0 };
  for (const { input, output, cache_read } of buckets) {
    if (cache_read === null) continue;
    sum.input += input;
    sum.output += output;
    sum.cache_read += cache_read;
  }
  return exactMetric(metric, sum) ?? 0;
}
