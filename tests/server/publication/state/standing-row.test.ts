import { describe, expect, test } from 'vitest';
import { type DayUsage, seriesOf } from '#core/domain/metrics/day-series.ts';
import { type Standing, standingOf } from '#core/domain/metrics/standing.ts';
import {
  MAX_ROW_NUMBERS,
  isRankedAt,
  rowLength,
  standingAt,
  statedAt,
  writeRow,
} from '#server/publication/state/standing-row.ts';

const SOURCE = { tool: 'a', provider: 'p', model: 'm', trust: 'signed' } as const;

/** Five days, of which some do not report cache counts. */
function aStanding(unreported: Partial<DayUsage>[], interval: string): Standing {
  const usage = Array.from({ length: 5 }, (_, at): DayUsage => {
    const counts = { input: 100, output: 300 + at, cache_write: 50, cache_read: 9_000 + at };
    return { day: 20_000 + at, source: SOURCE, ...counts, ...unreported[at] };
  });
  const standing = standingOf(seriesOf(usage), 0, 20_010, { active_day_tokens: 1, interval });
  if (!standing) throw new Error('There are tokens');
  return standing;
}

/** What a row between other numbers says, and its length. */
function written(standing: Standing) {
  const numbers = new Float64Array(MAX_ROW_NUMBERS + 2).fill(-1);
  const length = writeRow(numbers.subarray(1), standing, (metric) => metric === 'snr');
  const place = { numbers, at: 1 };
  expect(rowLength(place)).toBe(length);
  expect([numbers[0], numbers[1 + length]]).toEqual([-1, -1]);
  const ranked = [0, 1, 2, 3, 4].filter((index) => isRankedAt(numbers, 1, index));
  return { length, ranked, read: standingAt(place), share: statedAt(place) };
}

describe.each(['jackknife-95', 'week-95'])('a row by %s', (interval) => {
  test.each([
    ['the same counts', []],
    ['no cache counts on a day', [{ cache_read: null, cache_write: null }]],
    ['three kinds of days', [{ cache_read: null, cache_write: null }, { cache_write: null }]],
  ])('has everything about %s, and the share of stated days only if there is one', (_, days) => {
    const standing = aStanding(days, interval);
    const plain = written(standing);

    expect(plain.read).toEqual(standing);
    expect(plain.ranked).toEqual([3]);
    expect(plain.share).toBeNull();
    for (const stated_days of [0, 0.5, 1]) {
      const stating = written({ ...standing, stated_days });
      expect(stating.read).toEqual({ ...standing, stated_days });
      expect(stating).toMatchObject({ ranked: [3], share: stated_days });
      expect(stating.length).toBe(plain.length + 1);
    }
  });
});
