import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rankContenders, rankingValue } from '#core/domain/board/board.ts';
import { BASES, type DayUsage, rangeOf, seriesOf } from '#core/domain/metrics/day-series.ts';
import {
  CLASS_BEGINS,
  CLASS_TIERS,
  classAbove,
  classTierOf,
} from '#core/domain/metrics/class-tier.ts';
import { RULESET, eligibilityIn } from '#core/domain/board/ruleset.ts';
import { standingOf } from '#core/domain/metrics/standing.ts';
import { WINDOWS, firstDayOf } from '#core/domain/metrics/window.ts';

const LAST = 20_000;

const source = fc.constantFrom(
  { tool: 'claude-code', provider: 'p', model: 'm', trust: 'signed' } as const,
  { tool: 'codex', provider: 'q', model: 'n', trust: 'signed' } as const,
);
const count = fc.nat(1e9);
const bucket = fc
  .record({
    ago: fc.oneof(fc.nat(120), fc.constantFrom(0, 6, 7, 29, 30, 89, 90)),
    source,
    input: count,
    output: count,
    cache_write: fc.option(count),
    cache_read: fc.option(count),
  })
  .map(({ ago, ...rest }): DayUsage => ({ day: LAST - ago, ...rest }));
const usage = fc.array(bucket, { minLength: 1, maxLength: 25 });

const byDay = (buckets: DayUsage[]) => [...buckets].sort((a, b) => a.day - b.day);

/** The standings of all windows. They do not depend on the order of the usage. */
const standings = (buckets: DayUsage[]) =>
  WINDOWS.map((window) =>
    standingOf(seriesOf(byDay(buckets)), firstDayOf(window, LAST), LAST, RULESET),
  );

describe('standings', () => {
  test('have totals that never decrease from a window to the next longer one', () => {
    fc.assert(
      fc.property(usage, (buckets) => {
        for (const basis of BASES) {
          const totals = standings(buckets).map((standing) => standing?.bases[basis].total ?? 0);
          const days = standings(buckets).map(
            (standing) => standing?.bases[basis].active_days ?? 0,
          );

          expect(totals).toEqual([...totals].sort((a, b) => a - b));
          expect(days).toEqual([...days].sort((a, b) => a - b));
        }
      }),
    );
  });

  test('do not change with a day without usage', () => {
    const idle = fc.record({ ago: fc.nat(120), source, cache: fc.constantFrom(0, null) });

    fc.assert(
      fc.property(usage, idle, (buckets, { ago, source: of, cache }) => {
        const counts = { input: 0, output: 0, cache_write: cache, cache_read: cache };

        const after = standings([...buckets, { day: LAST - ago, source: of, ...counts }]);

        expect(after).toEqual(standings(buckets));
      }),
    );
  });

  test('do not depend on the order of buckets', () => {
    const shuffled = usage.chain((buckets) =>
      fc.tuple(
        fc.constant(buckets),
        fc.shuffledSubarray(buckets, { minLength: buckets.length, maxLength: buckets.length }),
      ),
    );

    fc.assert(
      fc.property(shuffled, ([buckets, other]) => {
        expect(standings(other)).toEqual(standings(buckets));
      }),
    );
  });

  test("do not depend on the number of devices or models that share a day's work", () => {
    fc.assert(
      fc.property(usage, (buckets) => {
        const split = buckets.flatMap((one) => {
          const half = (part: number | null) => (part === null ? null : part >> 1);
          const first = {
            ...one,
            input: one.input >> 1,
            output: one.output >> 1,
            cache_write: half(one.cache_write),
            cache_read: half(one.cache_read),
          };
          const rest = (whole: number | null, part: number | null) =>
            whole === null ? null : whole - (part ?? 0);
          const second = {
            ...one,
            input: one.input - first.input,
            output: one.output - first.output,
            cache_write: rest(one.cache_write, first.cache_write),
            cache_read: rest(one.cache_read, first.cache_read),
          };
          return [first, second];
        });

        expect(standings(split)).toEqual(standings(buckets));
      }),
    );
  });

  test('have at least as many days with another day in the middle', () => {
    fc.assert(
      fc.property(usage, bucket, (buckets, another) => {
        const daysOf = (of: DayUsage[]) =>
          BASES.map((basis) => {
            const { from, to } = rangeOf(seriesOf(byDay(of))[basis], LAST - 89, LAST);
            return to - from;
          });

        const [before, after] = [daysOf(buckets), daysOf([...buckets, another])];

        expect(after.every((n, at) => n >= (before[at] ?? 0))).toBe(true);
      }),
    );
  });
});

describe('classes', () => {
  test('are ten, each starting at ten times the one below', () => {
    expect(CLASS_TIERS).toEqual([
      ...['rill', 'brook', 'stream', 'river', 'rapids'],
      ...['falls', 'cataract', 'delta', 'sea', 'ocean'],
    ]);
    expect(CLASS_BEGINS).toEqual([0, 0.1, 1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7]);
  });

  test.each([...CLASS_TIERS.entries()])('begin exactly at their border: %d, %s', (at, tier) => {
    const begin = CLASS_BEGINS[at] ?? 0;
    const below = Number((begin * (1 - 1e-12)).toPrecision(12));

    expect(classTierOf(begin)).toBe(tier);
    expect(classTierOf(below)).toBe(CLASS_TIERS[Math.max(0, at - 1)]);
  });

  test('have no upper limit, and are `unclassed` without a rank', () => {
    expect(classTierOf(1e30)).toBe('ocean');
    expect(classTierOf(null)).toBe('unclassed');
  });

  test('have a class above each except the highest and `unclassed`', () => {
    expect(CLASS_TIERS.map(classAbove)).toEqual([...CLASS_TIERS.slice(1), null]);
    expect(classAbove('unclassed')).toBeNull();
  });
});

describe('a ranking', () => {
  test('does not depend on volume: ten times the tokens give the same rank', () => {
    const field = fc.array(usage, { minLength: 1, maxLength: 6 });
    const loose = eligibilityIn(
      { ...RULESET, total_tokens: 0, output_tokens: 0, active_day_tokens: 0 },
      '7d',
    );

    fc.assert(
      fc.property(field, (all) => {
        const ranks = (times: number) => {
          const found = all.map((buckets) => {
            const scaled = buckets.map((one) => ({
              ...one,
              input: one.input * times,
              output: one.output * times,
              cache_write: one.cache_write === null ? null : one.cache_write * times,
              cache_read: one.cache_read === null ? null : one.cache_read * times,
            }));
            return standingOf(seriesOf(byDay(scaled)), LAST - 119, LAST, { active_day_tokens: 0 });
          });
          const lows = found.map((one) => (one && rankingValue(one, 'yield', loose)) ?? Number.NaN);
          return rankContenders({
            lows,
            bounds: { lows, highs: found.map((one) => one?.intervals.yield?.[1] ?? Infinity) },
            totals: found.map((one) => one?.bases.all.total ?? 0),
          });
        };

        expect(ranks(10)).toEqual(ranks(1));
      }),
    );
  });
});
