import { describe, expect, test } from 'vitest';
import { type Leaderboard, LeaderboardQuery } from '#core/contract/leaderboard.ts';
import { PROBLEMS } from '#core/contract/problems.ts';
import { readLeaderboard } from '#server/board/leaderboard.ts';
import { aBoard, anActive, deleteOperator, tenDays } from '#tests/support/board/boards.ts';
import { bucketsOfDays } from '#tests/support/board/builders.ts';
import { type TestContext, publish } from '#tests/support/board/context.ts';
import { refusal } from '#tests/support/http/refusal.ts';

const read = (ctx: TestContext, query: Record<string, string> = {}) =>
  readLeaderboard(ctx, LeaderboardQuery.parse(query));

/** All pages from the first. */
function pagesOf(ctx: TestContext, query: Record<string, string>): Leaderboard[] {
  const pages = [read(ctx, query)];
  for (let cursor = pages[0]?.next_cursor; cursor; cursor = pages.at(-1)?.next_cursor) {
    pages.push(read(ctx, { ...query, cursor }));
  }
  return pages;
}

describe('readLeaderboard() page by page', () => {
  test.each(['1', '2', '3', '7', '8'])('returns all rows in pages of %s', (limit) => {
    const ctx = aBoard(7);
    const whole = read(ctx, { limit: '100' });

    const pages = pagesOf(ctx, { limit });

    expect(pages).toHaveLength(Math.ceil(7 / Number(limit)));
    expect(pages.flatMap(({ entries }) => entries)).toEqual(whole.entries);
    expect(new Set(pages.map(({ total }) => total))).toEqual(new Set([7]));
  });

  test('returns search results in pages', () => {
    const ctx = aBoard(13);
    const query = { q: 'op-1', tool: 'claude-code' };

    const pages = pagesOf(ctx, { ...query, limit: '3' });

    expect(pages.map(({ entries }) => entries.length)).toEqual([3, 1]);
    expect(pages.flatMap(({ entries }) => entries)).toEqual(read(ctx, query).entries);
  });

  test('continues until both lists have ended', () => {
    const ctx = aBoard(3);
    for (const name of ['a-new', 'b-new', 'c-new']) {
      anActive(ctx, name, bucketsOfDays(1, '2026-03-09'));
    }
    publish(ctx);

    const pages = pagesOf(ctx, { limit: '2', include: 'unranked' });
    const longer = pagesOf(ctx, { limit: '3', include: 'unranked' });

    expect(pages.map(({ entries, unranked }) => [entries.length, unranked?.length])).toEqual([
      [2, 2],
      [1, 2],
    ]);
    expect(longer.map(({ entries, unranked }) => [entries.length, unranked?.length])).toEqual([
      [3, 3],
      [0, 1],
    ]);
    expect(longer.flatMap(({ unranked }) => unranked?.map(({ codename }) => codename))).toEqual([
      'a-new',
      'b-new',
      'c-new',
      'unranked',
    ]);
  });

  test('stays on the board of the cursor', () => {
    const ctx = aBoard(4);
    const whole = read(ctx);
    const { next_cursor, log_index } = read(ctx, { limit: '2' });
    anActive(ctx, 'newcomer', tenDays({ output: 90_000 }));
    publish(ctx, 2);

    const rest = read(ctx, { limit: '2', cursor: next_cursor ?? '' });

    expect(rest.entries).toEqual(whole.entries.slice(2));
    expect(rest.log_index).toBe(log_index);
    expect(read(ctx).entries[0]?.codename).toBe('newcomer');
  });

  test('accepts pages of another length, and today by its date', () => {
    const ctx = aBoard(4);
    const cursor = read(ctx, { limit: '1', as_of: '2026-03-10' }).next_cursor ?? '';

    expect(read(ctx, { as_of: '2026-03-10', cursor, limit: '3' }).entries).toHaveLength(3);
  });

  test('throws cursor_expired (410) if that board is gone', () => {
    const ctx = aBoard(2);
    const { next_cursor } = read(ctx, { limit: '1' });
    const ofAnother = next_cursor?.replace(/^\d+\./, '99.') ?? '';

    expect(() => read(ctx, { cursor: ofAnother })).toThrow(refusal('cursor_expired'));
    expect(PROBLEMS.cursor_expired.status).toBe(410);
  });

  test.each([
    ['window', '7d'],
    ['metric', 'snr'],
    ['tool', 'claude-code'],
    ['trust', 'all'],
    ['q', 'op'],
    ['as_of', '2026-03-10'],
    ['include', 'unranked'],
  ])('rejects a cursor that was made with another %s', (name, value) => {
    const ctx = aBoard(2);
    const cursor = read(ctx, { limit: '1' }).next_cursor ?? '';

    expect(() => read(ctx, { limit: '1', cursor, [name]: value })).toThrow(
      refusal('query_invalid', '#/cursor'),
    );
  });

  test.each([
    'x',
    '1',
    '1.2',
    '1.2.3.',
    '1.-1.0.0',
    '1.0.0.0123456789abcdeF',
    '1e0.1.1.0123456789abcdef',
  ])('throws query_invalid for the cursor %j', (cursor) => {
    const ctx = aBoard(1);

    expect(() => read(ctx, { cursor })).toThrow(refusal('query_invalid', '#/cursor'));
  });

  test('is an empty page after the last one', () => {
    const ctx = aBoard(2);
    const behind = read(ctx, { limit: '1' }).next_cursor?.replace(/^(\d+)\.1\./, '$1.77.') ?? '';

    expect(read(ctx, { cursor: behind })).toMatchObject({
      total: 2,
      entries: [],
      next_cursor: null,
    });
  });

  test('continues if an operator was deleted in the meantime', () => {
    const ctx = aBoard(4);
    const { next_cursor } = read(ctx, { limit: '2' });
    deleteOperator(ctx, 'op-2');
    publish(ctx, 2);

    expect(read(ctx, { cursor: next_cursor ?? '' }).entries).toHaveLength(2);
    expect(read(ctx).total).toBe(3);
  });
});
