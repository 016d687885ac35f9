import { describe, expect, test } from 'vitest';
import { Leaderboard, LeaderboardQuery } from '#core/contract/leaderboard.ts';
import { OperatorDetail, OperatorQuery } from '#core/contract/operators.ts';
import { PROBLEMS } from '#core/contract/problems.ts';
import { readLeaderboard } from '#server/board/leaderboard.ts';
import { readOperator } from '#server/board/operator.ts';
import { anActive, deleteOperator, tenDays } from '#tests/support/board/boards.ts';
import { bucketsOfDays } from '#tests/support/board/builders.ts';
import {
  type TestContext,
  execute,
  publishAndKeep,
  testContext,
} from '#tests/support/board/context.ts';
import { refusal } from '#tests/support/http/refusal.ts';

const DAY = '2026-03-10';
const NEXT = '2026-03-11';

/** The given number of operators, each pair in a tie, and one unranked; their day is over. */
function aBoard(operators: number): TestContext {
  const ctx = testContext();
  anActive(ctx, 'unranked', bucketsOfDays(1, '2026-03-09'));
  for (let at = 0; at < operators; at += 1) {
    anActive(ctx, `op-${String(at).padStart(2, '0')}`, tenDays({ output: 10_000 + (at >> 1) }));
  }
  anActive(ctx, 'op-00', tenDays({ tool: 'codex' }));
  anActive(ctx, 'op-01', tenDays({ tool: 'codex', input: 1 }));
  publishAndKeep(ctx);
  return ctx;
}

function nextDay(ctx: TestContext): TestContext {
  ctx.clock.nowMs = Date.parse(`${NEXT}T09:00:00Z`);
  publishAndKeep(ctx);
  return ctx;
}

const read = (ctx: TestContext, query: Record<string, string> = {}) =>
  readLeaderboard(ctx, LeaderboardQuery.parse({ as_of: DAY, ...query }));

const readOne = (ctx: TestContext, codename: string, query: Record<string, string> = {}) =>
  readOperator(ctx, codename, OperatorQuery.parse({ as_of: DAY, ...query }));

const ranksIn = ({ entries }: Leaderboard) => entries.map(({ codename, rank }) => [codename, rank]);

/** All pages from the first. */
function pagesOf(ctx: TestContext, query: Record<string, string>): Leaderboard[] {
  const pages = [read(ctx, query)];
  for (let cursor = pages[0]?.next_cursor; cursor; cursor = pages.at(-1)?.next_cursor) {
    pages.push(read(ctx, { ...query, cursor }));
  }
  return pages;
}

/** The parts of a board that are stored for later days. */
const earlierOf = (page: Leaderboard, { next_refresh_at }: Leaderboard) => ({
  ...page,
  next_refresh_at,
  moderation: null,
  entries: page.entries.map(({ rank, codename, display_name, metrics, ...entry }) => ({
    rank,
    rank_range: null,
    movement: null,
    codename,
    display_name,
    class_tier: null,
    trust: null,
    metrics,
    conservative: entry.conservative,
    interval: entry.interval,
    totals: null,
    coverage: null,
    active_days: null,
    tools: null,
    last_active: null,
  })),
});

describe('readLeaderboard() as of a day', () => {
  test.each([
    {},
    { metric: 'velocity', window: '7d' },
    { tool: 'codex', metric: 'snr' },
    { trust: 'all' },
    { q: 'op-0' },
  ])('returns the last board of that day for %j', (query) => {
    const ctx = aBoard(7);
    const then = read(ctx, query);
    anActive(ctx, 'op-05', tenDays({ output: 90_000, model: 'new' }));
    nextDay(ctx);

    const page = read(ctx, query);

    expect(Leaderboard.parse(page)).toEqual(page);
    expect(page).toEqual(earlierOf(then, page));
    expect(page.next_refresh_at).toBe(`${NEXT}T09:05:00.000Z`);
    expect(readLeaderboard(ctx, LeaderboardQuery.parse({})).entries[0]?.codename).toBe('op-05');
  });

  test('counts the unranked but does not list them', () => {
    const ctx = nextDay(aBoard(2));

    expect(read(ctx, { include: 'unranked' })).toMatchObject({ unranked_total: 1, unranked: [] });
    expect(read(ctx, { include: 'unranked', q: 'op' })).toMatchObject({ unranked_total: 0 });
    expect(read(ctx, { include: 'unranked', window: '7d', q: 'unranked' })).toMatchObject({
      total: 0,
      unranked_total: 1,
    });
  });

  test.each(['1', '3', '7'])('returns all rows in pages of %s', (limit) => {
    const ctx = nextDay(aBoard(7));

    const pages = pagesOf(ctx, { limit });

    expect(pages).toHaveLength(Math.ceil(7 / Number(limit)));
    expect(pages.flatMap(({ entries }) => entries)).toEqual(read(ctx).entries);
  });

  test('returns search results in pages', () => {
    const ctx = nextDay(aBoard(13));

    const pages = pagesOf(ctx, { q: 'OP-1', limit: '2' });

    expect(pages.map(({ total }) => total)).toEqual([3, 3]);
    expect(pages.flatMap(ranksIn)).toEqual([
      ['op-12', 2],
      ['op-10', 3],
      ['op-11', 3],
    ]);
  });

  test('leaves the places of deleted operators empty, also between two pages', () => {
    const ctx = nextDay(aBoard(5));
    const { next_cursor } = read(ctx, { limit: '2' });
    deleteOperator(ctx, 'op-03');
    publishAndKeep(ctx);

    expect(ranksIn(read(ctx))).toEqual([
      ['op-01', 1],
      ['op-04', 2],
      ['op-02', 3],
      ['op-00', 5],
    ]);
    expect(ranksIn(read(ctx, { limit: '2', cursor: next_cursor ?? '' }))).toEqual([
      ['op-02', 3],
      ['op-00', 5],
    ]);
    expect(read(ctx).total).toBe(4);
  });

  test('names operators by their current codenames', () => {
    const ctx = nextDay(aBoard(1));
    execute(ctx, `UPDATE operators SET public_name = 'renamed' WHERE codename = 'op-00'`);
    publishAndKeep(ctx);

    expect(ranksIn(read(ctx))).toEqual([
      ['op-01', 1],
      ['renamed', 2],
    ]);
  });

  test('accepts a cursor of the board that was current on that day', () => {
    const ctx = aBoard(4);
    const { next_cursor } = read(ctx, { limit: '2' });
    const then = read(ctx);
    nextDay(ctx);

    const rest = read(ctx, { cursor: next_cursor ?? '' });

    expect(rest.entries).toEqual(then.entries.slice(2));
  });

  test('throws as_of_unavailable (404) for a day without a board', () => {
    const ctx = nextDay(aBoard(1));

    for (const as_of of ['2026-03-09', '2026-03-12', '2030-01-01', '2020-02-29']) {
      expect(() => read(ctx, { as_of })).toThrow(refusal('as_of_unavailable'));
    }
    expect(PROBLEMS.as_of_unavailable.status).toBe(404);
  });

  test('accepts only the tools of that day', () => {
    const ctx = nextDay(aBoard(2));
    anActive(ctx, 'op-00', [...bucketsOfDays(1, NEXT, { tool: 'zed' })]);
    anActive(ctx, 'op-01', [...bucketsOfDays(1, NEXT, { tool: 'zed' })]);
    publishAndKeep(ctx);

    expect(read(ctx, { as_of: NEXT, tool: 'zed' }).total).toBe(0);
    expect(() => read(ctx, { tool: 'zed' })).toThrow(refusal('query_invalid', '#/tool'));
    expect(read(ctx).tools).toEqual(['claude-code', 'codex']);
  });

  test('rejects a cursor of another query or kind', () => {
    const ctx = nextDay(aBoard(4));
    const cursor = read(ctx, { limit: '1' }).next_cursor ?? '';
    const refused = refusal('query_invalid', '#/cursor');

    expect(() => read(ctx, { limit: '1', cursor, metric: 'snr' })).toThrow(refused);
    expect(() => read(ctx, { limit: '1', cursor, as_of: NEXT })).toThrow(refused);
    const current = readLeaderboard(ctx, LeaderboardQuery.parse({ limit: '1' })).next_cursor ?? '';
    const forged = LeaderboardQuery.parse({ limit: '1', cursor: current.replace(/^\d+/, '0') });
    expect(() => readLeaderboard(ctx, forged)).toThrow(refusal('cursor_expired'));
  });

  test('caches no more days than needed', () => {
    const ctx = aBoard(1);
    for (let day = 11; day < 20; day += 1) {
      ctx.clock.nowMs = Date.parse(`2026-03-${day}T00:00:00Z`);
      publishAndKeep(ctx);
    }
    const days = Array.from({ length: 9 }, (_, index) => `2026-03-${index + 10}`);

    const twice = [...days, ...days].map((as_of) => read(ctx, { as_of, metric: 'snr' }).as_of);

    expect(twice).toEqual([...days, ...days]);
  });
});

describe('readOperator() as of a day', () => {
  test('returns only ranks and values of that day', () => {
    const ctx = aBoard(21);
    const then = readOne(ctx, 'op-07');
    anActive(ctx, 'op-07', tenDays({ output: 90_000, model: 'new' }));
    nextDay(ctx);

    const operator = readOne(ctx, 'op-07');

    expect(OperatorDetail.parse(operator)).toEqual(operator);
    expect(then.devices).toBe(0);
    expect(operator).toMatchObject({
      as_of: DAY,
      log_index: then.log_index,
      codename: 'op-07',
      devices: null,
    });
    const { metrics, ...rest } = operator.standing ?? {};
    expect(Object.values(rest)).toEqual(Array(8).fill(null));
    const nulls = {
      rank_range: null,
      median: null,
      coverage: null,
      active_days: null,
      reasons: null,
    };
    expect(metrics?.yield).toEqual({ ...then.standing?.metrics.yield, ...nulls });
    expect(metrics?.yield).toMatchObject({ total: 21, percentile: 0.238095238095 });
  });

  test('distinguishes unranked from absent operators', () => {
    const ctx = nextDay(aBoard(1));

    expect(readOne(ctx, 'unranked').standing?.metrics.snr).toMatchObject({
      value: 0.900900900901,
      rank: null,
      percentile: null,
    });
    expect(readOne(ctx, 'unranked', { tool: 'codex' }).standing).toBeNull();
    expect(readOne(ctx, 'unranked', { trust: 'all' }).standing).not.toBeNull();
  });

  test('finds operators who were listed by self-reported tokens only', () => {
    const ctx = aBoard(1);
    anActive(ctx, 'by-hand', tenDays(), 'self_reported');
    publishAndKeep(ctx);
    nextDay(ctx);

    expect(readOne(ctx, 'by-hand').standing).toBeNull();
    expect(readOne(ctx, 'by-hand', { trust: 'all' }).standing?.metrics.yield.rank).toBe(2);
    expect(readOne(ctx, 'op-00', { trust: 'all' }).standing?.metrics.yield.rank).not.toBeNull();
  });

  test('throws not_found for operators who were not listed, or are gone', () => {
    const ctx = nextDay(aBoard(2));
    anActive(ctx, 'new', tenDays());
    deleteOperator(ctx, 'op-00');
    publishAndKeep(ctx);

    expect(() => readOne(ctx, 'new')).toThrow(refusal('not_found'));
    expect(() => readOne(ctx, 'op-00')).toThrow(refusal('not_found'));
    expect(() => readOne(ctx, 'op-01', { as_of: '2026-01-01' })).toThrow(
      refusal('as_of_unavailable'),
    );
  });
});
