import { expect, test } from 'vitest';
import { sheetOf } from '#core/contract/csv.ts';
import { LeaderboardQuery, getLeaderboard } from '#core/contract/leaderboard.ts';
import { ProfileChange } from '#core/schema/profile.ts';
import { updateProfile } from '#server/operator/update-profile.ts';
import { readLeaderboard } from '#server/board/leaderboard.ts';
import { readMe } from '#server/board/me.ts';
import { anActive, deleteOperator, tenDays } from '#tests/support/board/boards.ts';
import { DAY_MS, NOW_MS } from '#tests/support/board/builders.ts';
import {
  type TestContext,
  execute,
  publishAndKeep,
  testContext,
} from '#tests/support/board/context.ts';

/** Ada before Bob before Cat, on the first day. */
function aBoard(): TestContext {
  const ctx = testContext();
  anActive(ctx, 'ada', tenDays({ output: 30_000 }));
  anActive(ctx, 'bob', tenDays({ output: 20_000 }));
  anActive(ctx, 'cat', tenDays({ output: 10_000 }));
  publishAndKeep(ctx);
  return ctx;
}

/** Publishes on the given day after the first. */
function publishOnDay(ctx: TestContext, day: number): TestContext {
  ctx.clock.nowMs = NOW_MS + day * DAY_MS;
  publishAndKeep(ctx);
  return ctx;
}

const read = (ctx: TestContext, query: Record<string, string> = {}) =>
  readLeaderboard(ctx, LeaderboardQuery.parse(query));

const movesIn = (ctx: TestContext, query: Record<string, string> = {}) =>
  read(ctx, query).entries.map(({ codename, rank, movement }) => {
    return [codename, rank, movement?.day, movement?.week];
  });

const ranksOn = (ctx: TestContext, as_of: string) =>
  read(ctx, { as_of }).entries.map(({ codename, rank }) => [codename, rank]);

const idOf = (ctx: TestContext, codename: string) =>
  ctx.store.operators.byCodename(codename)?.id ?? 0;

const setMode = (ctx: TestContext, codename: string, privacy_mode: string) =>
  updateProfile(ctx, idOf(ctx, codename), ProfileChange.parse({ privacy_mode }));

test('changes are measured from the last board of yesterday, and of seven days before', () => {
  const ctx = aBoard();
  expect(movesIn(ctx)).toEqual([
    ['ada', 1, null, null],
    ['bob', 2, null, null],
    ['cat', 3, null, null],
  ]);
  anActive(ctx, 'cat', tenDays({ output: 90_000, model: 'new' }));

  publishOnDay(ctx, 1);
  expect(movesIn(ctx)).toEqual([
    ['cat', 1, 2, null],
    ['ada', 2, -1, null],
    ['bob', 3, -1, null],
  ]);
  publishOnDay(ctx, 2);
  expect(movesIn(ctx)[0]).toEqual(['cat', 1, 0, null]);

  publishOnDay(ctx, 7);
  expect(movesIn(ctx)).toEqual([
    ['cat', 1, null, 2],
    ['ada', 2, null, -1],
    ['bob', 3, null, -1],
  ]);
  publishOnDay(ctx, 8);
  expect(movesIn(ctx)[0]).toEqual(['cat', 1, 0, 0]);
  const me = readMe(ctx, { operator_id: idOf(ctx, 'cat'), device_id: null });
  expect(me.standings.find(({ window }) => window === '30d')?.movement).toEqual({
    day: 0,
    week: 0,
  });
});

test('changes compare ranks: shared ones, unranked operators, and tools without a board', () => {
  const ctx = aBoard();
  anActive(ctx, 'dan', tenDays({ output: 20_000 }));
  anActive(ctx, 'new', tenDays({ output: 50_000 }).slice(0, 3));
  publishOnDay(ctx, 1);
  expect(movesIn(ctx).slice(1, 3)).toEqual([
    ['bob', 2, 0, null],
    ['dan', 2, null, null],
  ]);
  anActive(ctx, 'new', tenDays({ output: 50_000, model: 'more' }));
  anActive(ctx, 'bob', tenDays({ tool: 'codex', input: 100 }));
  anActive(ctx, 'cat', tenDays({ tool: 'codex' }));

  publishOnDay(ctx, 2);

  const moves = movesIn(ctx);
  expect(moves.find(([codename]) => codename === 'new')?.[2]).toBeNull();
  expect(moves.find(([codename]) => codename === 'dan')?.slice(1, 3)).toEqual([4, -2]);
  expect(movesIn(ctx, { tool: 'codex' }).map(([, , day]) => day)).toEqual([null, null]);
  expect(movesIn(ctx, { tool: 'claude-code' }).every(([, , day]) => day !== undefined)).toBe(true);
  publishOnDay(ctx, 3);
  expect(movesIn(ctx, { tool: 'codex' }).map(([, , day]) => day)).toEqual([0, 0]);
});

test('a past day shows operators who are public now, with current names and past ranks', async () => {
  const ctx = aBoard();
  await setMode(ctx, 'cat', 'private');
  publishOnDay(ctx, 1);
  await setMode(ctx, 'cat', 'pseudonymous');
  execute(ctx, `UPDATE operators SET public_name = 'bobby' WHERE codename = 'bob'`);
  anActive(ctx, 'bob', tenDays({ output: 90_000, model: 'new' }));
  publishOnDay(ctx, 2);

  expect(movesIn(ctx)).toEqual([
    ['bobby', 1, 1, null],
    ['ada', 2, -1, null],
    ['cat', 3, null, null],
  ]);
  expect(ranksOn(ctx, '2026-03-10')).toEqual([
    ['ada', 1],
    ['bobby', 2],
    ['cat', 3],
  ]);
  expect(ranksOn(ctx, '2026-03-11')).toEqual([
    ['ada', 1],
    ['bobby', 2],
  ]);

  await setMode(ctx, 'ada', 'private');
  deleteOperator(ctx, 'bob');
  publishOnDay(ctx, 3);

  expect(ranksOn(ctx, '2026-03-10')).toEqual([['cat', 3]]);
  expect(ranksOn(ctx, '2026-03-11')).toEqual([]);
  expect(movesIn(ctx)).toEqual([['cat', 1, 2, null]]);
});

test('a past day has its ranking rules, and the ranked value', () => {
  const ctx = aBoard();
  ctx.ruleset = { ...ctx.ruleset, id: '2-00c0ffee', output_tokens: 150_000 };
  publishOnDay(ctx, 1);
  publishOnDay(ctx, 2);

  const heads = ['2026-03-10', '2026-03-11', '2026-03-12'].map((as_of) => {
    const { ruleset, total } = read(ctx, { as_of });
    return [ruleset, total];
  });

  expect(heads).toEqual([
    ['2', 3],
    ['2-00c0ffee', 2],
    ['2-00c0ffee', 2],
  ]);
});

test('CSV has columns for range, interval and change, empty if not stored', () => {
  const ctx = publishOnDay(aBoard(), 1);
  const cells = (query: Record<string, string>) => {
    const { columns, rows } = sheetOf(getLeaderboard.table ?? never(), read(ctx, query));
    const names = ['rank_range', 'interval', 'movement.day', 'movement.week', 'class_tier'];
    return names.map((name) => rows[0]?.[columns.indexOf(name)]);
  };

  const [range, interval, ...rest] = cells({});
  expect(range).toBe('1;3');
  expect(interval).toMatch(/^\d+(\.\d+)?;\d+(\.\d+)?$/);
  expect(rest).toEqual([0, null, 'unclassed']);
  expect(cells({ as_of: '2026-03-10' })).toEqual([null, interval, null, null, null]);
});

function never(): never {
  throw new Error('The leaderboard is a table');
}
