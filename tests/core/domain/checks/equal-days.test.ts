import { describe, expect, test } from 'vitest';
import {
  type KnownDay,
  type StatedNumbers,
  dayVector,
  equalDays,
  nearVectors,
} from '#core/domain/checks/equal-days.ts';

function someDays(days: number, since: number, over: Partial<KnownDay> = {}): KnownDay[] {
  return Array.from({ length: days }, (_, index) => ({
    day: `2026-01-${String(index + 1).padStart(2, '0')}`,
    tool: 'claude-code',
    input: 1_000 + 37 * index,
    output: 20_000 + 991 * index,
    cache_read: 4_000_000 + 50_021 * index,
    since,
    earlier: [],
    ...over,
  }));
}

const times = (days: readonly KnownDay[], factor: number, since: number): KnownDay[] =>
  days.map((day) => ({ ...day, since, cache_read: Math.round((day.cache_read ?? 0) * factor) }));

describe('equalDays()', () => {
  test('finds the copy on the account that submitted it later', () => {
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
  ])('of %i equal days among %i returns %j', (equal, compared, share) => {
    const mine = someDays(compared, 9);
    const theirs = mine.map((day, index) =>
      index < equal ? { ...day, since: 5 } : { ...day, since: 5, input: 2 * day.input },
    );

    expect(equalDays(mine, theirs)?.finding.statistic ?? null).toBe(share);
  });

  test('needs only one day if a day was held for it before', () => {
    expect(equalDays(someDays(1, 9), someDays(1, 5))).toBeNull();
    expect(equalDays(someDays(1, 9), someDays(1, 5), 1)).not.toBeNull();
  });

  test('finds a copy under another tool and among days with other tools, in either order', () => {
    const copy = [
      ...someDays(3, 9, { tool: 'my-tool' }),
      ...someDays(3, 9, { tool: 'codex', output: 1 }),
      ...someDays(3, 9, { tool: 'other', output: 2 }),
    ];

    expect(equalDays(copy, someDays(3, 5))).toMatchObject({
      isFirstLater: true,
      finding: { statistic: 1, n: 3 },
    });
    expect(equalDays(someDays(3, 5), copy)?.isFirstLater).toBe(false);
  });

  test('compares the same day only, and days of 10,000 tokens or more', () => {
    const small = { input: 10, output: 20, cache_read: 9_969 };
    const shifted = someDays(6, 5).map((day, at, all) => ({ ...day, day: all[at - 1]?.day ?? '' }));

    expect(equalDays(someDays(5, 9), shifted)).toBeNull();
    expect(equalDays(someDays(5, 9, small), someDays(5, 5, small))).toBeNull();
    const enough = { ...small, cache_read: 9_970 };
    expect(equalDays(someDays(5, 9, enough), someDays(5, 5, enough))).not.toBeNull();
  });

  test('does not treat unreported counts as numbers', () => {
    const [blind, zero] = [{ cache_read: null }, { cache_read: 0 }];

    expect(equalDays(someDays(3, 9, blind), someDays(3, 5, zero))).toBeNull();
    expect(equalDays(someDays(3, 9, blind), someDays(3, 5, blind))).not.toBeNull();
  });
});

describe('the account that submitted equal days first', () => {
  const at = (day: KnownDay, since: number, factor: number): StatedNumbers => {
    return { ...day, since, output: Math.round(day.output * factor) };
  };
  /** An account whose days grew in steps. */
  const grown = (steps: readonly [since: number, factor: number][]): KnownDay[] =>
    someDays(3, 0).map((day) => {
      const earlier = steps.map(([since, factor]) => at(day, since, factor));
      return { ...day, ...(earlier.at(-1) as StatedNumbers), earlier };
    });

  test.each<[string, [number, number][], [number, number][]]>([
    [
      'later restated its days with slightly larger counts',
      [
        [1, 1],
        [9, 1.002],
      ],
      [[5, 1]],
    ],
    [
      'grew in steps that were each copied',
      [
        [1, 1],
        [3, 1.006],
        [9, 1.012],
      ],
      [
        [2, 1],
        [5, 1.006],
      ],
    ],
    [
      'grew, though the copy started smaller before',
      [
        [3, 0.5],
        [4, 1],
      ],
      [
        [1, 0.01],
        [5, 1],
      ],
    ],
    [
      'reported them, though the copy had these numbers briefly before',
      [[4, 1]],
      [
        [2, 1],
        [3, 2],
        [5, 1],
      ],
    ],
  ])('is the one that %s', (_, original, copy) => {
    expect(equalDays(grown(original), grown(copy))?.isFirstLater).toBe(false);
    expect(equalDays(grown(copy), grown(original))?.isFirstLater).toBe(true);
  });
});

describe('nearVectors()', () => {
  test('contain the vector of every day within the tolerance, near any cell edge', () => {
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

  test('differ by day but not by tool, and places differ by tool', () => {
    const [day] = someDays(1, 1) as [KnownDay];
    const [later, renamed] = [
      { ...day, day: '2026-01-09' },
      { ...day, tool: 'codex' },
    ];

    const own = dayVector(day);
    expect(nearVectors(later)).not.toContain(own?.vector);
    expect(nearVectors(renamed)).toContain(own?.vector);
    for (const other of [later, renamed]) expect(dayVector(other)?.place).not.toBe(own?.place);
  });
});
