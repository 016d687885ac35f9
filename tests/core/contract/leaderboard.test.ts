import { describe, expect, test } from 'vitest';
import { LeaderboardQuery } from '#core/contract/leaderboard.ts';

describe('LeaderboardQuery', () => {
  test('defaults to the first 50 by yield over 30 days', () => {
    expect(LeaderboardQuery.parse({})).toEqual({
      window: '30d',
      metric: 'yield',
      trust: 'signed',
      limit: 50,
      format: 'json',
    });
  });

  test.each([
    [{ limit: '1' }, { limit: 1 }],
    [{ limit: '1000' }, { limit: 1000 }],
    [{ limit: '007' }, { limit: 7 }],
    [{ window: 'all_time' }, { window: 'all_time' }],
    [{ include: 'unranked' }, { include: 'unranked' }],
  ])('accepts %j', (given, expected) => {
    expect(LeaderboardQuery.parse(given)).toMatchObject(expected);
  });

  test.each([
    { limit: '0' },
    { limit: '1001' },
    { limit: '1.5' },
    { limit: '' },
    { limit: 'x' },
    { limit: '-1' },
    { limit: 'Infinity' },
    { limit: ['1', '2'] },
    { window: '1d' },
    { window: '30D' },
    { window: ['7d', '30d'] },
    { metric: 'rank' },
    { trust: 'mixed' },
    { format: 'xml' },
    { as_of: '2026-02-30' },
    { as_of: '2026-2-3' },
    { q: '' },
    { q: 'x'.repeat(81) },
    { tool: 'a\u200bb' },
    { include: 'all' },
    { sort: 'yield' },
  ])('rejects %j', (given) => {
    expect(LeaderboardQuery.safeParse(given).success).toBe(false);
  });

  test('rejects a cursor that is too long', () => {
    expect(LeaderboardQuery.safeParse({ cursor: 'x'.repeat(10_000) }).success).toBe(false);
  });

  test('names the allowed values if a value is invalid', () => {
    const { error } = LeaderboardQuery.safeParse({ window: '1d' });

    expect(error?.issues[0]?.message).toContain('"7d"|"30d"|"90d"|"all_time"');
  });
});
