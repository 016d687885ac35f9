import { describe, expect, test } from 'vitest';
import type { ToolDay } from '#core/domain/checks/finding.ts';
import { roundFindings } from '#core/domain/checks/round-counts.ts';
import { utcDay } from '#core/domain/counting/day.ts';
import { DAY_MS } from '#tests/support/board/builders.ts';

/** A day on which no count ends in a zero. */
function aDay(index: number, over: Partial<ToolDay> = {}): ToolDay {
  return {
    day: utcDay(Date.parse('2026-01-01') + index * DAY_MS),
    tool: 'codex',
    input: 40_001 + 20 * index,
    output: 90_003 + 30 * index,
    cache_write: 700_007,
    cache_read: 3_000_009 + 50 * index,
    isNew: true,
    silent: { input: 0, output: 0 },
    ...over,
  };
}

const days = (count: number, change: (index: number) => Partial<ToolDay> = () => ({})) =>
  Array.from({ length: count }, (_, index) => aDay(index, change(index)));
const brief = (given: readonly ToolDay[]) =>
  roundFindings('codex', given).flatMap((found) =>
    found ? [[found.check, found.verdict, found.statistic, Object.keys(found.days).length]] : [],
  );
const HUNDRED = { input: 4_100, output: 90_300, cache_write: 70_700, cache_read: 300_900 };

describe('round_counts', () => {
  test.each([
    [HUNDRED, 4],
    [{ ...HUNDRED, input: 4_101 }, 3],
    [{ ...HUNDRED, cache_write: null }, 3],
  ])('holds a day with %j', (counts, statistic) => {
    expect(brief([...days(3), aDay(5, counts)])).toEqual([['round_counts', 'hold', statistic, 1]]);
  });

  test.each([
    ['two round types', { ...HUNDRED, input: 4_101, output: 90_310 }],
    ['multiples of 10', { input: 4_110, output: 90_310, cache_write: 70_710, cache_read: 300_910 }],
    ['zeros', { ...HUNDRED, cache_write: 0, cache_read: 0 }],
    ['little output', { ...HUNDRED, output: 19_900 }],
    ['a day that was examined before', { ...HUNDRED, isNew: false }],
  ])('ignores %s', (_, counts) => {
    expect(brief([...days(3), aDay(5, counts)])).toEqual([]);
  });

  test('ignores a tool that always rounds, and the first day with a tool', () => {
    const first = [aDay(0, HUNDRED)];
    const always = days(3, (index) => ({ ...HUNDRED, output: 90_300 + 100 * index }));

    expect([brief(first), brief(always)]).toEqual([[], []]);
  });
});

describe('round_series', () => {
  const reads = (count: number, factor: number) =>
    days(count, (index) => ({ cache_read: (300_001 + 7 * index) * factor }));

  test.each([
    [7, 10, []],
    [8, 10, [['round_series', 'note', 10, 8]]],
    [3, 100, []],
    [4, 100, [['round_series', 'hold', 100, 4]]],
    [2, 1000, []],
    [3, 1000, [['round_series', 'hold', 1000, 3]]],
    [3, 10_000, [['round_series', 'hold', 1000, 3]]],
  ])('of %i days with %i times the cache reads is %j', (count, factor, expected) => {
    expect(brief(reads(count, factor))).toEqual(expected);
  });

  test('of output counts, too', () => {
    const output = days(4, (index) => ({ output: (9_001 + index) * 100 }));

    expect(brief(output)).toEqual([['round_series', 'hold', 100, 4]]);
  });

  test('ends at a day that is not round', () => {
    const [, , ...last] = reads(5, 100);

    expect(brief([...reads(2, 100), aDay(2), ...last.slice(1)])).toEqual([]);
  });

  test('counts equal numbers once, as of a job with a fixed prompt', () => {
    expect(brief(days(30, () => ({ cache_read: 1_152_000 })))).toEqual([]);
  });

  test('only notes a tool that rounds all types', () => {
    const rounded = days(8, (index) => ({
      input: 4_100 + 100 * index,
      output: 90_300 + 100 * index,
      cache_write: 70_700,
      cache_read: 300_900 + 300 * index,
    }));

    expect(brief(rounded)).toEqual([['round_series', 'note', 100, 8]]);
  });
});
