import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dayNumber } from '#core/domain/counting/day.ts';
import { type DayUsage, seriesOf } from '#core/domain/metrics/day-series.ts';
import { exactMetrics } from '#core/domain/metrics/metrics.ts';
import { metricsOf, standingFrom, standingOf, totalsOf } from '#core/domain/metrics/standing.ts';
import { firstDayOf } from '#core/domain/metrics/window.ts';

const LAST = dayNumber('2026-03-10');

const SOURCE = { tool: 'claude-code', provider: 'p', model: 'm', trust: 'signed' } as const;

/** Usage `ago` days before the window's last day. */
function aDay(ago: number, over: Partial<DayUsage> = {}): DayUsage {
  const counts = { input: 1000, output: 2000, cache_write: 3000, cache_read: 4000 };
  return { day: LAST - ago, source: SOURCE, ...counts, ...over };
}

function standing(usage: DayUsage[], activeDayTokens = 10_000, first = LAST - 29) {
  const sorted = [...usage].sort((a, b) => a.day - b.day);
  return standingOf(seriesOf(sorted), first, LAST, { active_day_tokens: activeDayTokens });
}

describe('standingOf()', () => {
  test('is null without tokens in the window', () => {
    const nothing = { input: 0, output: 0, cache_write: 0, cache_read: null };

    expect(standing([])).toBeNull();
    expect(standing([aDay(0, nothing)])).toBeNull();
    expect(standing([aDay(30)])).toBeNull();
    expect(standing([aDay(-1)])).toBeNull();
  });

  test.each([
    ['7d', 6],
    ['30d', 29],
    ['90d', 89],
  ] as const)(
    'includes the first and last day of %s, and excludes the day before',
    (window, ago) => {
      const usage = [aDay(ago + 1), aDay(ago), aDay(0)];

      const found = standing(usage, 1, firstDayOf(window, LAST));

      expect(found?.bases.all).toMatchObject({ total: 20_000, active_days: 2 });
    },
  );

  test('counts every day in all_time', () => {
    const found = standing([aDay(5000), aDay(0)], 1, firstDayOf('all_time', LAST));

    expect(found?.bases.all.active_days).toBe(2);
  });

  test('computes each metric over the buckets that report what it needs', () => {
    const both = aDay(2);
    const readOnly = aDay(1, { cache_write: null });
    const neither = aDay(0, { cache_write: null, cache_read: null });
    const found = standing([both, readOnly, neither]);

    const ofRead = exactMetrics({ input: 2000, output: 4000, cache_write: 3000, cache_read: 8000 });
    const ofBoth = exactMetrics(both);
    const ofAll = exactMetrics({ input: 3000, output: 6000, cache_write: 3000, cache_read: 8000 });
    expect(found?.metrics).toEqual({
      yield: ofRead.yield,
      leverage: ofRead.leverage,
      velocity: ofAll.velocity,
      snr: ofAll.snr,
      dev10x: ofBoth.dev10x,
    });
  });

  test('has the share of the output in each basis', () => {
    const found = standing([
      aDay(2, { output: 7000 }),
      aDay(1, { output: 2000, cache_write: null }),
      aDay(0, { output: 1000, cache_read: null }),
    ]);

    expect(found?.coverage).toEqual({ all: 1, read: 0.9, read_write: 0.7 });
  });

  test('has no coverage without output', () => {
    expect(standing([aDay(0, { output: 0 })])?.coverage).toEqual({
      all: null,
      read: null,
      read_write: null,
    });
  });

  test('counts a day as active at the threshold, over all buckets in the basis', () => {
    const half = { input: 5000, output: 0, cache_write: 0, cache_read: 0 };
    const found = standing([
      aDay(3, half),
      aDay(3, { ...half, source: { ...SOURCE, tool: 'codex' } }),
      aDay(2, { ...half, input: 9999 }),
      aDay(1, { ...half, cache_read: null }),
      aDay(1, half),
    ]);

    expect(found?.bases.all.active_days).toBe(2);
    expect(found?.bases.read.active_days).toBe(1);
  });

  test.each([
    [3, [10_000, 10_000, 10_000]],
    [1, [10_000]],
    [1.8, [10_000, 20_000]],
    [1.0002, [1_000_000, 100]],
  ])('has %d effective days for the totals %j', (expected, inputs) => {
    const only = { output: 0, cache_write: 0, cache_read: 0 };
    const found = standing(inputs.map((input, ago) => aDay(ago, { ...only, input })));

    expect(found?.bases.all.effective_days).toBeCloseTo(expected, 6);
  });

  test('has exactly as many effective days as equal days, even with odd totals', () => {
    const found = standing(Array.from({ length: 7 }, (_, ago) => aDay(ago, { input: 333_333 })));

    expect(found?.bases.all.effective_days).toBe(7);
  });

  test('counts the current day so far', () => {
    expect(standing([aDay(0)])).toMatchObject({
      last_active: LAST,
      bases: { all: { active_days: 1 } },
    });
  });

  test('has the last day with tokens', () => {
    const nothing = { input: 0, output: 0, cache_write: 0, cache_read: 0 };

    expect(standing([aDay(3), aDay(2), aDay(0, nothing)])?.last_active).toBe(LAST - 2);
  });

  test('follows from its sums and intervals', () => {
    const found = standing([
      aDay(2),
      aDay(1, { cache_write: null }),
      aDay(0, { cache_read: null }),
    ]);

    expect(
      found && standingFrom(found.bases, { intervals: found.intervals }, found.last_active),
    ).toEqual(found);
  });

  test('has effective days between 1 and the days used', () => {
    const usage = fc.array(
      fc.record({ ago: fc.nat(29), input: fc.integer({ min: 1, max: 1e9 }) }),
      {
        minLength: 1,
        maxLength: 40,
      },
    );

    fc.assert(
      fc.property(usage, (drawn) => {
        const found = standing(
          drawn.map(({ ago, input }) => aDay(ago, { input })),
          1,
        );
        const days = new Set(drawn.map(({ ago }) => ago)).size;

        expect(found?.bases.all.active_days).toBe(days);
        expect(found?.bases.all.effective_days).toBeGreaterThanOrEqual(1);
        expect(found?.bases.all.effective_days).toBeLessThanOrEqual(days);
      }),
    );
  });
});

describe('totalsOf()', () => {
  test('keeps null if no tool reports the token type', () => {
    const found = standing([aDay(1, { cache_write: null }), aDay(0, { cache_write: null })]);

    expect(found && totalsOf(found.bases.all)).toEqual({
      input: 2000,
      output: 4000,
      cache_write: null,
      cache_read: 8000,
      total: 14_000,
    });
  });
});

describe('metricsOf()', () => {
  test('equal those of a standing with the same buckets', () => {
    const usage = [
      aDay(3),
      aDay(2, { cache_write: null }),
      aDay(1, { cache_read: null }),
      aDay(0, { cache_write: null, cache_read: null }),
    ];

    expect(metricsOf(usage)).toEqual(standing(usage)?.metrics);
  });

  test('are null without buckets', () => {
    const nothing = { yield: null, leverage: null, velocity: null, snr: null, dev10x: null };

    expect(metricsOf([])).toEqual(nothing);
  });
});
