import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { DayUsage } from '#core/domain/metrics/day-series.ts';
import { exactMetric } from '#core/domain/metrics/metrics.ts';
import type { LeakName, NextClass } from '#core/schema/improvement.ts';
import { randomOf } from '../../../../scripts/random.mjs';
import { normalOf } from '../../../../scripts/bench/simulate.mjs';
import { aDay, diagnose, thirty } from '#tests/support/http/diagnosis.ts';

function find(usage: readonly DayUsage[], leak: LeakName, nextClass: NextClass | null = null) {
  return diagnose(usage, nextClass).entries.find((entry) => entry.leak === leak);
}

describe('a leak', () => {
  test('of fresh input: good days read it from the cache', () => {
    const diagnosed = diagnose(thirty({ input: 5000, cache_read: 396_000 }));
    const [found] = diagnosed.entries;

    expect(found).toMatchObject({
      leak: 'fresh_input',
      tool: 'cli',
      target: { ratio: 'leverage', value: 400, from: 'own_best_quartile' },
      evidence: { days: 10, days_measured: 30, days_reached: 20, value: 79.2 },
      attainability: 0.666666666667,
      reached_on: [{ day: '2026-03-09', value: 400 }, {}, {}, {}, {}],
    });
    expect(found?.evidence.worst[0]).toEqual({
      day: '2026-03-10',
      model: 'opus',
      ...{ input: 5000, output: 4000, cache_write: 20_000, cache_read: 396_000 },
      value: 79.2,
    });
    // At most half of each day's input moves to the cache; 4000 would reach the target.
    expect(found?.evidence.tokens).toBe(10 * 2500);
    const simulated = { yield: 710.222222222, leverage: 266.333333333, velocity: 2.66666666667 };
    expect(found?.simulated).toEqual(simulated);
    expect(found?.gain).toBeCloseTo(Math.log(710.222222222 / (diagnosed.present.yield ?? 0)), 10);
  });

  test('of cache writes that were not read, on long days', () => {
    const found = find(thirty({ cache_write: 80_000, cache_read: 340_000 }), 'unread_cache_writes');

    expect(found).toMatchObject({
      target: { ratio: 'reuse', value: 20 },
      evidence: { days: 10, value: 4.25 },
    });
    expect(found?.evidence.tokens).toBe(10 * 40_000);
  });

  test('of short days that pay for a cache, separate from long days', () => {
    const short = { input: 490, output: 1960, cache_write: 4000, cache_read: 196_000 };
    const colder = { ...short, cache_write: 8000, cache_read: 192_000 };
    const cold = Array.from({ length: 30 }, (_, ago) => {
      if (ago % 5 > 1) return aDay(ago);
      return aDay(ago, ago % 5 === 0 ? colder : short);
    });

    expect(find(cold, 'cold_short_days')).toMatchObject({
      target: { ratio: 'reuse', value: 49 },
      evidence: { days: 6, days_measured: 12, days_reached: 6 },
      attainability: 0.2,
    });
    expect(find(cold, 'unread_cache_writes')).toBeUndefined();
  });

  test('of transmission: the same output from a smaller conversation, with equal leverage', () => {
    const more = { input: 3000, cache_write: 60_000, cache_read: 1_200_000 };
    const found = find(thirty(more), 'low_transmission');

    expect(found).toMatchObject({
      target: { ratio: 'velocity', value: 4 },
      evidence: { days: 10, value: 1.33333333333, tokens: 10 * 1500 },
      simulated: { leverage: 400, velocity: 3.42857142857 },
    });
    expect(find(thirty({ output: 1000 }), 'low_transmission')).toBeUndefined();
  });

  test('names the model that leaks the most', () => {
    const haiku = Array.from({ length: 10 }, (_, ago) => {
      return aDay(ago, { input: 4000, output: 0, cache_write: 0, cache_read: 0 }, 'haiku');
    });
    const usage = [...thirty({}), ...haiku];

    const worst = find(usage, 'fresh_input')?.evidence.worst ?? [];

    expect(worst.slice(0, 3).map(({ day, model, input }) => [day, model, input])).toEqual([
      ['2026-03-10', 'haiku', 5000],
      ['2026-03-09', 'haiku', 5000],
      ['2026-03-08', 'haiku', 5000],
    ]);
  });
});

describe('the target', () => {
  const medians = (leverage: number): NextClass => ({
    class_tier: 'delta',
    medians: [{ tool: 'cli', leverage, velocity: null }],
  });
  const days = thirty({ input: 5000 });

  test.each([
    [300, 300, 'next_class_median'],
    [500, 400, 'own_best_quartile'],
    // All days together already have 171.4.
    [100, 400, 'own_best_quartile'],
  ])('is the nearer one: a median of %d gives %d', (median, value, from) => {
    expect(find(days, 'fresh_input', medians(median))?.target).toMatchObject({ value, from });
  });

  test('is separate for each tool', () => {
    const other = Array.from({ length: 12 }, (_, ago) => aDay(ago, { cache_read: 9000 }, 'x', 'b'));

    const { entries } = diagnose([...days, ...other]);

    expect(entries.filter(({ leak }) => leak === 'fresh_input')).toMatchObject([{ tool: 'cli' }]);
  });
});

describe('a promised gain', () => {
  const count = (max: number) => fc.integer({ min: 0, max });
  const anyDay = fc.record({
    ago: count(40),
    input: count(20_000),
    output: count(20_000),
    cache_write: fc.option(count(100_000)),
    cache_read: fc.option(count(1_000_000)),
    model: fc.constantFrom('a', 'b'),
  });

  test("never exceeds what the operator's own days reached, for any days", () => {
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
          return isBound && attainability > 0 && attainability <= 1 && gain > 0 && score <= gain;
        });
      }),
      { numRuns: 500 },
    );
  });

  test('is ordered by the gain times the share of days that reached it', () => {
    const others = Array.from({ length: 10 }, (_, ago) => aDay(30 + ago, {}, 'opus', 'other'));
    const usage = [...thirty({ cache_write: 150_000, cache_read: 270_000 }), ...others];

    const { entries } = diagnose(usage);

    expect(entries.map(({ leak, attainability }) => [leak, attainability])).toEqual([
      ['fresh_input', 0.5],
      ['unread_cache_writes', 0.5],
    ]);
    for (const { score, in_tool } of entries) expect(score).toBeCloseTo(in_tool.gain * 0.5, 10);
    expect(diagnose([...usage].reverse()).entries).toEqual(entries);
  });
});

describe('chance and other work', () => {
  /** Numbers whose logarithms vary, the same in every run. */
  const noiseOf = (seed: number, sigma: number) => {
    const normal = normalOf(randomOf(seed));
    return (typical: number) => Math.round(typical * Math.exp(sigma * normal()));
  };
  const seeds = Array.from({ length: 40 }, (_, at) => at + 1);

  test.each([0, 0.3])('two kinds of work are not a leak, sigma %d', (sigma) => {
    const found = seeds.flatMap((seed) => {
      const some = noiseOf(seed, sigma);
      const usage = Array.from({ length: 40 }, (_, ago) => {
        const input = some(ago % 3 === 0 ? 40_000 : 3000);
        return aDay(ago, { input, cache_read: some(ago % 3 === 0 ? 20_000 : 9_000_000) });
      });
      return diagnose(usage).entries;
    });
    expect(found).toEqual([]);
  });

  test('days of one habit lead to advice at most one time in twenty', () => {
    const found = seeds.map((seed) => {
      const some = noiseOf(seed, 0.3);
      const usage = Array.from({ length: 60 }, (_, ago) => {
        const [input, output] = [some(1000), some(4000)];
        return aDay(ago, { input, output, cache_write: some(20_000), cache_read: some(400_000) });
      });
      return diagnose(usage).empty_because?.code ?? 'found';
    });
    expect(found.filter((code) => code === 'found').length).toBeLessThanOrEqual(2);
    expect(found).toContain('within_noise');
  });

  test('one habit among varying days is still found', () => {
    const found = seeds.filter((seed) => {
      const some = noiseOf(seed, 0.15);
      const usage = Array.from({ length: 40 }, (_, ago) => {
        return aDay(ago, { input: some(ago % 3 === 0 ? 5000 : 1000), cache_read: some(400_000) });
      });
      return find(usage, 'fresh_input') !== undefined;
    });
    expect(found.length).toBe(seeds.length);
  });
});

describe('too little data', () => {
  test.each([
    ['no_tokens', [], null],
    ['no_tokens', [aDay(90)], null],
    ['yield_undefined', thirty({}).map((day) => ({ ...day, cache_read: null })), null],
    ['yield_zero', thirty({}).map((day) => ({ ...day, cache_read: 0 })), null],
    ['days_low', thirty({ input: 5000 }).slice(0, 7), 7],
    ['days_low', thirty({}).map((day) => ({ ...day, cache_read: 100, cache_write: 0 })), 0],
    ['within_noise', thirty({ input: 5000 }).slice(0, 12), null],
    ['nothing_to_gain', thirty({}), null],
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
