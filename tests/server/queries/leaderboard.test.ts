import { describe, expect, test } from 'vitest';
import { PROBLEMS } from '#core/contract/problem.ts';
import { Leaderboard, LeaderboardQuery } from '#core/contract/leaderboard.ts';
import { readLeaderboard } from '#server/queries/leaderboard.ts';
import { bucketsOfDays } from '#tests/support/builders.ts';
import {
  type TestContext,
  anEnrolledDevice,
  publish,
  submit,
  testContext,
} from '#tests/support/context.ts';
import { refusal } from '#tests/support/refusal.ts';

/** A board with so many ranked operators, each pair in a tie, and one who is not ranked. */
async function aBoard(operators: number): Promise<TestContext> {
  const ctx = testContext();
  await submit(ctx, await anEnrolledDevice(ctx, 'unranked'), bucketsOfDays(1, '2026-03-09'));
  for (let at = 0; at < operators; at += 1) {
    const device = await anEnrolledDevice(ctx, `op-${at}`);
    await submit(ctx, device, bucketsOfDays(10, '2026-03-01', { output: 10_000 + (at >> 1) }));
  }
  publish(ctx);
  return ctx;
}

const read = (ctx: TestContext, query: Record<string, string> = {}) =>
  readLeaderboard(ctx, LeaderboardQuery.parse(query));

/** All pages from the first one on. */
function pagesOf(ctx: TestContext, query: Record<string, string>): Leaderboard[] {
  const pages = [read(ctx, query)];
  for (let cursor = pages[0]?.next_cursor; cursor; cursor = pages.at(-1)?.next_cursor) {
    pages.push(read(ctx, { ...query, cursor }));
  }
  return pages;
}

describe('readLeaderboard()', () => {
  test('answers as the contract says', async () => {
    const page = read(await aBoard(3));

    expect(Leaderboard.parse(page)).toEqual(page);
    expect(page).toMatchObject({
      ruleset: '1',
      window: '30d',
      metric: 'yield',
      as_of: '2026-03-10',
      log_index: 14,
      total: 3,
      next_cursor: null,
    });
    expect(page.entries.map(({ codename, rank }) => [codename, rank])).toEqual([
      ['op-2', 1],
      ['op-0', 2],
      ['op-1', 2],
    ]);
    expect(page).not.toHaveProperty('unranked');
  });

  test.each(['1', '2', '3', '7', '8'])(
    'pages by %s, and the pages make the whole',
    async (limit) => {
      const ctx = await aBoard(7);
      const whole = read(ctx, { limit: '100' });

      const pages = pagesOf(ctx, { limit });

      expect(pages).toHaveLength(Math.ceil(7 / Number(limit)));
      expect(pages.flatMap(({ entries }) => entries)).toEqual(whole.entries);
      expect(new Set(pages.map(({ total }) => total))).toEqual(new Set([7]));
    },
  );

  test('pages on through the board that the cursor belongs to', async () => {
    const ctx = await aBoard(4);
    const whole = read(ctx);
    const { next_cursor, log_index } = read(ctx, { limit: '2' });
    const device = await anEnrolledDevice(ctx, 'newcomer');
    await submit(ctx, device, bucketsOfDays(10, '2026-03-01', { output: 90_000 }));
    publish(ctx, 2);

    const rest = read(ctx, { limit: '2', cursor: next_cursor ?? '' });

    expect(rest.entries).toEqual(whole.entries.slice(2));
    expect(rest.log_index).toBe(log_index);
    expect(read(ctx).entries[0]?.codename).toBe('newcomer');
  });

  test('throws cursor_expired, which is 410, when that board is gone', async () => {
    const ctx = await aBoard(1);

    expect(() => read(ctx, { cursor: '99.0' })).toThrow(refusal('cursor_expired'));
    expect(PROBLEMS.cursor_expired.status).toBe(410);
  });

  test.each([
    'x',
    '1',
    '1.',
    '.1',
    '1.-1',
    '-1.0',
    '1.0.0',
    '1.0 ',
    '1e0.1',
    `${'9'.repeat(16)}.1`,
  ])('throws query_invalid for the cursor %j', async (cursor) => {
    const ctx = await aBoard(1);

    expect(() => read(ctx, { cursor })).toThrow(refusal('query_invalid', '#/cursor'));
  });

  test('answers an empty page behind the last one', async () => {
    expect(read(await aBoard(2), { cursor: '1.999999999' })).toMatchObject({
      total: 2,
      entries: [],
      next_cursor: null,
    });
  });

  test('adds who is not ranked, and why, if asked', async () => {
    const { unranked, unranked_total } = read(await aBoard(1), { include: 'unranked' });

    expect(unranked_total).toBe(1);
    expect(unranked).toMatchObject([
      {
        codename: 'unranked',
        reasons: [
          { code: 'active_days_low', required: 7, actual: 1 },
          { code: 'effective_days_low', required: 3, actual: 1 },
          { code: 'output_low', required: 50_000, actual: 10_000 },
        ],
      },
    ]);
  });

  test('throws service_unavailable before the first publication', () => {
    expect(() => read(testContext())).toThrow(refusal('service_unavailable'));
  });
});
