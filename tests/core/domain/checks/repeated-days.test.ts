import { describe, expect, test } from 'vitest';
import type { ToolDay } from '#core/domain/checks/finding.ts';
import { repeatedDays } from '#core/domain/checks/repeated-days.ts';
import { utcDay } from '#core/domain/counting/day.ts';
import { DAY_MS } from '#tests/support/board/builders.ts';

/** A large day with numbers of its own. */
function aDay(index: number, over: Partial<ToolDay> = {}): ToolDay {
  return {
    day: utcDay(Date.parse('2026-01-01') + index * DAY_MS),
    tool: 'claude-code',
    input: 4_001 + 613 * index,
    output: 90_007 + 7_919 * ((index * 7) % 11),
    cache_write: 700_001,
    cache_read: 30_000_011 + 1_300_021 * ((index * 5) % 13),
    isNew: true,
    silent: { input: 0, output: 0 },
    ...over,
  };
}

/** A day with the counts of another, times a factor. */
function likeDay(index: number, other: ToolDay, factor = 1, round = Math.round): ToolDay {
  const [input, output, cache_read] = [other.input, other.output, other.cache_read ?? 0].map(
    (count) => round(count * factor),
  );
  return {
    ...other,
    ...aDay(index),
    input: input ?? 0,
    output: output ?? 0,
    cache_read: cache_read ?? 0,
  };
}

const known = (days: readonly ToolDay[]) => days.map((day) => ({ ...day, isNew: false }));
const pairs = (factor: number) =>
  [0, 1, 2].flatMap((index) => {
    const day = aDay(2 * index);
    return [day, likeDay(2 * index + 1, day, factor)];
  });

describe('repeatedDays()', () => {
  test.each([
    ['told twice', pairs(1)],
    ['split in two unequal parts', pairs(0.3)],
    [
      'spread over five',
      [0, 1, 2, 3, 4].map((index) =>
        likeDay(index, aDay(9), 0.2, index < 4 ? Math.floor : Math.ceil),
      ),
    ],
    ['made equal', [0, 1, 2].map((index) => likeDay(index, aDay(9)))],
    ['copied under another tool', pairs(1).map((day, at) => ({ ...day, tool: `tool-${at % 2}` }))],
  ])('holds days that were %s', (_, days) => {
    expect(repeatedDays(days)).toMatchObject({ verdict: 'hold', statistic: 1, tool: '' });
    expect(Object.keys(repeatedDays(days)?.days ?? {}).sort()).toEqual(
      days.map(({ day }) => day).sort(),
    );
  });

  test.each([
    ['two days', pairs(1).slice(0, 2)],
    [
      'days that differ by two tokens of output',
      pairs(1).map((day, at) => ({ ...day, output: day.output + (at % 2) * 3 })),
    ],
    ['tools of the same day', [0, 1, 2].map((at) => ({ ...aDay(0), tool: `tool-${at}` }))],
    ['days more than 90 days apart', [0, 91, 182].map((index) => likeDay(index, aDay(9)))],
    [
      'a day with and one without a cache',
      [0, 1, 2].map((at) => ({
        ...likeDay(at, aDay(9)),
        cache_read: at ? null : 5,
        input: at + 1e6,
      })),
    ],
    ['days that were examined before', known(pairs(1))],
    ['no days', []],
  ])('ignores %s', (_, days) => {
    expect(repeatedDays(days)).toBeNull();
  });

  test('only notes the small days of an automated job', () => {
    const job = (output: number) =>
      [0, 1, 2, 3].map((index) => aDay(index, { input: 3_000, output, cache_read: 115_200 }));

    expect(
      [1_000, 1_001, 20_000, 20_001].map((output) => repeatedDays(job(output))?.verdict),
    ).toEqual([undefined, 'note', 'note', 'hold']);
  });

  test('ignores a job with less than half of the tokens', () => {
    const jobs = [0, 1, 2].map((index) => likeDay(index, aDay(9), 0.4));
    const own = (factor: number) =>
      [0, 1, 2].map((index) => {
        const day = aDay(index);
        return { ...day, tool: 'codex', cache_read: Math.round((day.cache_read ?? 0) * factor) };
      });

    expect(repeatedDays([...jobs, ...own(1)])).toBeNull();
    expect(repeatedDays([...jobs, ...own(0.01)])?.statistic).toBeGreaterThan(0.5);
  });

  test('finds a new day that repeats earlier ones, and lists all of them', () => {
    const found = repeatedDays([...known(pairs(1)), likeDay(6, aDay(4))]);

    expect(Object.keys(found?.days ?? {})).toHaveLength(7);
  });

  test('compares what yield counts', () => {
    const silent = { input: 500, output: 100 };
    const days = pairs(1).map((day, at) => {
      if (at % 2 === 0) return day;
      return { ...day, silent, input: day.input + 500, output: day.output + 100 };
    });

    expect(repeatedDays(days)?.verdict).toBe('hold');
  });
});
