import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sumPillars } from '#core/domain/counting/bucket.ts';
import { dayName, dayNumber } from '#core/domain/counting/day.ts';
import type { DayCounts } from '#core/domain/metrics/day-series.ts';
import { historyOf, periodsBetween } from '#core/domain/metrics/history.ts';
import { exactMetrics } from '#core/domain/metrics/metrics.ts';
import { totalsOf } from '#core/domain/metrics/standing.ts';
import { MAX_COUNT } from '#core/schema/usage.ts';

/** Counts of a day: 10, 20, 30 and 40 tokens. */
function counts(day: string, over: Partial<DayCounts> = {}): DayCounts {
  const pillars = { input: 10, output: 20, cache_write: 30, cache_read: 40 };
  return { day: dayNumber(day), ...pillars, ...over };
}

const spans = (usage: DayCounts[], interval: 'day' | 'week') =>
  historyOf(usage, interval).map(({ first, last }) => [dayName(first), dayName(last)]);

describe('historyOf()', () => {
  test('has one period for each day with tokens, and leaves gaps', () => {
    const usage = [
      counts('2026-03-01'),
      counts('2026-03-01'),
      counts('2026-03-02', { input: 0, output: 0, cache_write: 0, cache_read: null }),
      counts('2026-03-04'),
    ];

    expect(spans(usage, 'day')).toEqual([
      ['2026-03-01', '2026-03-01'],
      ['2026-03-04', '2026-03-04'],
    ]);
    expect(historyOf(usage, 'day')[0]?.totals).toEqual({
      input: 20,
      output: 40,
      cache_write: 60,
      cache_read: 80,
      total: 200,
    });
  });

  test.each([
    ['2026-03-01', '2026-02-23'],
    ['2026-03-02', '2026-03-02'],
    ['2026-03-08', '2026-03-02'],
    ['2026-03-09', '2026-03-09'],
    ['2024-12-30', '2024-12-30'],
    ['2025-01-05', '2024-12-30'],
    ['2023-01-01', '2022-12-26'],
  ])('puts %s into the week of Monday %s', (day, monday) => {
    const sunday = dayName(dayNumber(monday) + 6);

    expect(spans([counts(day)], 'week')).toEqual([[monday, sunday]]);
  });

  test('adds up a week, and leaves out weeks without tokens', () => {
    const usage = [counts('2026-03-02'), counts('2026-03-08'), counts('2026-03-16')];

    const weeks = historyOf(usage, 'week');

    expect(weeks.map(({ totals }) => totals.total)).toEqual([200, 100]);
    expect(spans(usage, 'week').map(([monday]) => monday)).toEqual(['2026-03-02', '2026-03-16']);
  });

  test('computes each metric over the buckets that report what it needs', () => {
    const usage = [
      counts('2026-03-02', { cache_read: null }),
      counts('2026-03-02', { cache_write: null }),
      counts('2026-03-02', { output: 50 }),
    ];

    const [day] = historyOf(usage, 'day');

    expect(day?.totals).toMatchObject({ cache_write: 60, cache_read: 80 });
    expect(day?.metrics).toEqual({
      yield: (80 * 70) / 20 ** 2,
      leverage: 80 / 20,
      velocity: 3,
      snr: 0.75,
      dev10x: Number(Math.log10(4).toPrecision(12)),
    });
  });

  test('distinguishes an unreported token type from zero', () => {
    const none = { cache_write: null, cache_read: 0 };

    expect(historyOf([counts('2026-03-02', none)], 'day')[0]?.totals).toMatchObject(none);
  });

  test('is exact up to 2^53-1', () => {
    const only = { input: 0, cache_write: null, cache_read: null };
    const usage = [
      counts('2026-03-02', { ...only, output: MAX_COUNT - 1 }),
      counts('2026-03-03', { ...only, output: 1 }),
    ];

    expect(historyOf(usage, 'week')[0]?.totals.total).toBe(MAX_COUNT);
  });

  test('loses no tokens between days, weeks and the total', () => {
    const pillar = fc.nat(1_000_000);
    const anyCounts = fc.record({
      day: fc.integer({ min: 19_358, max: 19_458 }),
      input: pillar,
      output: pillar,
      cache_write: fc.option(pillar),
      cache_read: fc.option(pillar),
    });

    fc.assert(
      fc.property(fc.array(anyCounts, { maxLength: 40 }), (drawn) => {
        const usage = drawn.sort((a, b) => a.day - b.day);
        const whole = totalsOf(sumPillars(usage)).total;
        const days = historyOf(usage, 'day');
        const weeks = historyOf(usage, 'week');

        expect(days.reduce((sum, { totals }) => sum + totals.total, 0)).toBe(whole);
        expect(weeks.reduce((sum, { totals }) => sum + totals.total, 0)).toBe(whole);
        expect(weeks.map(({ first }) => new Date(first * 86_400_000).getUTCDay())).toEqual(
          weeks.map(() => 1),
        );
      }),
    );
  });

  test('agrees with the metrics of the sum if every bucket reports everything', () => {
    const usage = [counts('2026-03-02'), counts('2026-03-03', { input: 1 })];

    expect(historyOf(usage, 'week')[0]?.metrics).toEqual(exactMetrics(sumPillars(usage)));
  });
});

describe('periodsBetween()', () => {
  const names = (first: string, last: string, interval: 'day' | 'week') =>
    periodsBetween(dayNumber(first), dayNumber(last), interval).map(dayName);

  test('contains each day, including both ends', () => {
    expect(names('2026-02-27', '2026-03-01', 'day')).toEqual([
      '2026-02-27',
      '2026-02-28',
      '2026-03-01',
    ]);
    expect(names('2026-03-01', '2026-03-01', 'day')).toEqual(['2026-03-01']);
    expect(names('2026-03-02', '2026-03-01', 'day')).toEqual([]);
  });

  test('contains the Monday of each week, from the first day to the last', () => {
    expect(names('2026-03-01', '2026-03-09', 'week')).toEqual([
      '2026-02-23',
      '2026-03-02',
      '2026-03-09',
    ]);
    expect(names('2026-03-02', '2026-03-08', 'week')).toEqual(['2026-03-02']);
  });
});
