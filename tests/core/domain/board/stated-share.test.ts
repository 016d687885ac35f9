import { describe, expect, test } from 'vitest';
import {
  type DaySpan,
  shareFor,
  statedShare,
  statedSpans,
} from '#core/domain/board/stated-share.ts';
import { statedDays } from '#core/domain/board/stated-days.ts';
import { randomOf } from '../../../../scripts/random.mjs';

const ALL = { first: -Infinity, last: 100 };

describe('statedSpans()', () => {
  test('joins days and spans that overlap or touch', () => {
    const covered: DaySpan[] = [
      [10, 12],
      [10, 11],
      [3, 4],
    ];

    expect(statedSpans([5, 5, 13, 20], covered)).toEqual([
      [3, 5],
      [10, 13],
      [20, 20],
    ]);
    expect(statedSpans([], [])).toEqual([]);
  });

  test('keeps a long span that begins before a short one', () => {
    const covered: DaySpan[] = [
      [1, 9],
      [2, 3],
    ];

    expect(statedSpans([4], covered)).toEqual([[1, 9]]);
  });
});

describe('statedShare()', () => {
  const spans: DaySpan[] = [
    [1, 4],
    [8, 10],
  ];

  test.each([
    ['counts from the first to the last stated day', ALL, 7 / 10],
    ['begins with the window if the account is older', { first: 4, last: 100 }, 4 / 7],
    ['ends with the window if the account goes on', { first: 0, last: 6 }, 4 / 6],
    ['counts gaps at both ends of the window', { first: 5, last: 8 }, 1 / 4],
    ['is 0 in a gap', { first: 5, last: 7 }, 0],
    ['is 0 before the first stated day', { first: -5, last: 0 }, 0],
    ['is 0 after the last stated day', { first: 11, last: 20 }, 0],
  ])('%s', (_, window, share) => {
    expect(statedShare(spans, window)).toBe(share);
  });

  test('is 0 for an account that states nothing', () => {
    expect(statedShare([], ALL)).toBe(0);
  });

  test('counts as stated what the page of an operator does not call a gap', () => {
    const random = randomOf(1);
    const below = (limit: number) => Math.floor(random() * limit);
    for (let round = 0; round < 200; round += 1) {
      const days = Array.from({ length: 1 + below(9) }, () => below(40)).sort((a, b) => a - b);
      const covered = Array.from({ length: below(5) }, (): DaySpan => {
        const from = below(40);
        return [from, from + below(6)];
      }).sort(([a], [b]) => a - b);
      const window = { first: below(30), last: 30 + below(20) };

      const share = statedShare(statedSpans(days, covered), window);

      const tokens = new Map(days.map((day) => [day, 1]));
      const known = { tokens, covered, changed: new Map(), changesKnownFrom: 0 };
      const page = statedDays(window, known);
      const stated = page ? page.with_tokens + page.without_tokens : 0;
      expect(share).toBe(page ? stated / (stated + page.not_stated) : 0);
    }
  });
});

test('shareFor() is null if no share is required', () => {
  expect(shareFor({}, [[1, 2]], ALL)).toBeNull();
  expect(shareFor({ stated_days: 0 }, [[1, 2]], ALL)).toBeNull();
  expect(shareFor({ stated_days: 0.1 }, [[1, 2]], ALL)).toBe(1);
});
