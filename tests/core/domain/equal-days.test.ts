import { describe, expect, test } from 'vitest';
import { type KnownDay, dayVector, equalDays, nearVectors } from '#core/domain/equal-days.ts';

function someDays(days: number, since: number, over: Partial<KnownDay> = {}): KnownDay[] {
  return Array.from({ length: days }, (_, index) => ({
    day: `2026-01-${String(index + 1).padStart(2, '0')}`,
    tool: 'claude-code',
    input: 1_000 + 37 * index,
    output: 20_000 + 991 * index,
    cache_write: 300_000 + 7_001 * index,
    cache_read: 4_000_000 + 50_021 * index,
    since,
    ...over,
  }));
}

const times = (days: readonly KnownDay[], factor: number, since: number): KnownDay[] =>
  days.map((day) => ({ ...day, since, cache_read: Math.round((day.cache_read ?? 0) * factor) }));

describe('equalDays()', () => {
  test('finds the copy on the account that stated it later', () => {
    const [mine, theirs] = [someDays(3, 9), someDays(3, 5)];

    expect(equalDays(mine, theirs)).toMatchObject({
      isFirstLater: true,
      finding: { check: 'equal_vectors', verdict: 'hold', statistic: 1, threshold: 0.5, n: 3 },
      copies: [{ day: '2026-01-01' }, { day: '2026-01-02' }, { day: '2026-01-03' }],
    });
    expect(equalDays(theirs, mine)?.isFirstLater).toBe(false);
  });

  test.each([
    [2, 2, null],
    [3, 6, 0.5],
    [3, 7, null],
    [5, 7, 0.714285714286],
  ])('of %i equal days among %i says %j', (equal, compared, share) => {
    const mine = someDays(compared, 9);
    const theirs = mine.map((day, index) =>
      index < equal ? { ...day, since: 5 } : { ...day, since: 5, input: 2 * day.input },
    );

    expect(equalDays(mine, theirs)?.finding.statistic ?? null).toBe(share);
  });

  test('takes a single day where one was held for it before', () => {
    expect(equalDays(someDays(1, 9), someDays(1, 5))).toBeNull();
    expect(equalDays(someDays(1, 9), someDays(1, 5), 1)).not.toBeNull();
  });

  test('compares the same day and tool only, and days of 10,000 tokens or more', () => {
    const small = { input: 10, output: 20, cache_write: 0, cache_read: 9_969 };

    expect(equalDays(someDays(5, 9), someDays(5, 5, { tool: 'codex' }))).toBeNull();
    expect(equalDays(someDays(5, 9, small), someDays(5, 5, small))).toBeNull();
    const enough = { ...small, cache_read: 9_970 };
    expect(equalDays(someDays(5, 9, enough), someDays(5, 5, enough))).not.toBeNull();
  });

  test('takes what is not reported for no number', () => {
    const [blind, zero] = [{ cache_write: null }, { cache_write: 0 }];

    expect(equalDays(someDays(3, 9, blind), someDays(3, 5, zero))).toBeNull();
    expect(equalDays(someDays(3, 9, blind), someDays(3, 5, blind))).not.toBeNull();
  });
});

describe('nearVectors()', () => {
  test('hold the vector of every day within the tolerance, wherever cells end', () => {
    const factors = Array.from({ length: 41 }, (_, index) => 0.99 + index * 0.0005);
    const days = someDays(60, 1);
    const missed = factors.flatMap((factor) => {
      const near = times(days, factor, 2).filter((day, at) => {
        const own = days[at] as KnownDay;
        const far = Math.abs((day.cache_read ?? 0) - (own.cache_read ?? 0));
        return far <= 0.01 * Math.max(day.cache_read ?? 0, own.cache_read ?? 0);
      });
      return near.filter((day) => {
        const vector = dayVector(days.find((own) => own.day === day.day) as KnownDay)?.vector;
        return !nearVectors(day).includes(vector ?? Number.NaN);
      });
    });

    expect(missed).toEqual([]);
  });

  test('differ by day and tool', () => {
    const [day] = someDays(1, 1) as [KnownDay];
    const others = [
      { ...day, day: '2026-01-09' },
      { ...day, tool: 'codex' },
    ];

    const own = dayVector(day);
    for (const other of others) {
      expect(nearVectors(other)).not.toContain(own?.vector);
      expect(dayVector(other)?.place).not.toBe(own?.place);
    }
  });
});
