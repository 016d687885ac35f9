import { describe, expect, test } from 'vitest';
import {
  outsideOf,
  type ReviewSpan,
  reviewNames,
  reviewOf,
  reviewSpan,
  spansAround,
  spanWith,
} from '#core/domain/board/review.ts';
import { dayName, dayNumber } from '#core/domain/counting/day.ts';
import type { DayCounts } from '#core/domain/metrics/day-series.ts';

/** Counts of a day with a yield of 8 and 75 tokens. */
function counts(day: string, over: Partial<DayCounts> = {}): DayCounts {
  return { day: dayNumber(day), input: 10, output: 20, cache_write: 5, cache_read: 40, ...over };
}

const spanOf = (name: string) => reviewSpan(name) as ReviewSpan;
const daysOf = (span: ReviewSpan) => [dayName(span.first), dayName(span.last)];

describe('reviewSpan()', () => {
  test.each([
    ['2026', '2026-01-01', '2026-12-31'],
    ['2028-02', '2028-02-01', '2028-02-29'],
    ['2026-12', '2026-12-01', '2026-12-31'],
    ['2023', '2023-01-01', '2023-12-31'],
  ])('%s goes from %s to %s', (name, first, last) => {
    expect(daysOf(spanOf(name))).toEqual([first, last]);
  });

  test.each(['', '26', '2022', '0000', '2026-00', '2026-13', '2026-1', '2026-01-01', '+2026', 'x'])(
    'refuses "%s"',
    (name) => {
      expect(reviewSpan(name)).toBeNull();
    },
  );

  test('can be of a day far in the future', () => {
    expect(outsideOf(spanOf('9999'), { first: 1, today: dayNumber('2026-03-10') })).toBe('future');
  });
});

describe('the periods of an operator', () => {
  const known = { first: dayNumber('2024-12-31'), today: dayNumber('2026-03-01') };

  test.each([
    ['2024', null],
    ['2023', 'before'],
    ['2024-11', 'before'],
    ['2024-12', null],
    ['2026-03', null],
    ['2026-04', 'future'],
    ['2027', 'future'],
  ])('%s is %s', (name, expected) => {
    expect(outsideOf(spanOf(name), known)).toBe(expected);
  });

  test.each([
    ['2024', null, '2025'],
    ['2025', '2024', '2026'],
    ['2026', '2025', null],
    ['2024-12', null, '2025-01'],
    ['2026-01', '2025-12', '2026-02'],
    ['2026-03', '2026-02', null],
  ])('%s is between %s and %s', (name, previous, next) => {
    expect(spansAround(spanOf(name), known)).toEqual({ previous, next });
  });

  test('include the one with a day', () => {
    expect(spanWith('month', known.first)?.name).toBe('2024-12');
    expect(spanWith('year', known.first)?.name).toBe('2024');
  });
});

test('reviewNames() has the last month and all years with tokens', () => {
  const none = { input: 0, output: 0, cache_write: null, cache_read: null };
  const usage = [
    counts('2023-02-01', none),
    counts('2024-12-31'),
    counts('2026-01-01'),
    counts('2026-02-28'),
    counts('2026-03-01', none),
  ];

  expect(reviewNames(usage)).toEqual(['2026-02', '2026', '2024']);
  expect(reviewNames([])).toEqual([]);
});

describe('reviewOf()', () => {
  const year = spanOf('2026');

  test('counts only days of the period', () => {
    const usage = ['2025-12-31', '2026-01-01', '2026-12-31', '2027-01-01'].map((day) =>
      counts(day),
    );

    expect(reviewOf(usage, year, { active_day_tokens: 1 })?.standing.bases.all).toMatchObject({
      total: 150,
      active_days: 2,
    });
    expect(reviewOf(usage, spanOf('2026-06'), { active_day_tokens: 1 })).toBeNull();
  });

  test('finds the days and weeks with the highest yield and the most tokens', () => {
    const usage = [
      // 2 March 2026 is a Monday.
      counts('2026-03-02'),
      counts('2026-03-03', { cache_read: 200 }),
      counts('2026-03-09', { cache_read: 100 }),
      counts('2026-03-10', { input: 100, output: 500 }),
      counts('2026-03-16', { input: 1, output: 9, cache_write: 0, cache_read: 9 }),
    ];

    const { best } = reviewOf(usage, year, { active_day_tokens: 70 }) ?? {};
    const first = (name: 'day' | 'week', what: 'highest' | 'most') =>
      dayName(best?.[name][what]?.first ?? 0);

    expect([first('day', 'highest'), first('day', 'most')]).toEqual(['2026-03-03', '2026-03-10']);
    expect([first('week', 'highest'), first('week', 'most')]).toEqual(['2026-03-02', '2026-03-09']);
  });

  test('has no highest yield if no active day has one', () => {
    const usage = [counts('2026-03-02'), counts('2026-03-03', { cache_read: null, output: 900 })];

    const { best } = reviewOf(usage, year, { active_day_tokens: 100 }) ?? {};

    expect(best?.day.highest).toBeNull();
    expect(best?.day.most.totals.total).toBe(915);
  });

  test('takes the earlier of equal days', () => {
    const usage = [counts('2026-03-02'), counts('2026-03-03')];
    const { best } = reviewOf(usage, year, { active_day_tokens: 1 }) ?? {};

    expect([best?.day.highest?.first, best?.day.most.first]).toEqual(
      Array(2).fill(dayNumber('2026-03-02')),
    );
  });

  test('lists the months of a year with tokens', () => {
    const usage = [counts('2026-01-31'), counts('2026-03-01'), counts('2026-03-31')];
    const months = (name: string) =>
      reviewOf(usage, spanOf(name), { active_day_tokens: 1 })?.months.map(
        ({ name: month, standing }) => [month, standing.bases.all.active_days],
      );

    expect(months('2026')).toEqual([
      ['2026-01', 1],
      ['2026-03', 2],
    ]);
    expect(months('2026-03')).toEqual([]);
  });
});
