import Database from 'better-sqlite3';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { databasePath } from '#server/config/config.ts';
import { readDailyFront } from '#server/publication/read/front-board.ts';
import { type TestContext, testContext } from '#tests/support/board/context.ts';
import { addDay, aRankedRow } from '#tests/support/board/kept-days.ts';

const DAY = '2026-03-09';
const SLICE = { tool: 'codex', trust: 'signed' } as const;

/** The range of IDs of a large board. */
const FAR_APART: Record<string, number> = { ada: 3, bob: 5_000, cat: 6_001, dan: 12_345 };

function standAt(
  ctx: TestContext,
  name: string,
  rank: number | null,
  operator_id = FAR_APART[name] ?? 0,
): void {
  const db = new Database(databasePath(ctx.config));
  db.prepare(
    `INSERT INTO operators (id, public_id, codename, public_name, created_at)
     VALUES (@operator_id, @name, @name, @name, '')`,
  ).run({ operator_id, name });
  db.close();
  addDay(ctx.store.keptDays, DAY, SLICE, [aRankedRow(operator_id, rank, 3)]);
}

const publication = {
  day: DAY,
  log_index: 1,
  ruleset: '1',
  generated_at: `${DAY}T23:00:00Z`,
  tools: ['claude-code', 'codex'],
  self_reported: false,
  thinned: false,
};

test('a front board of many operators is read completely, and other work runs in between', async () => {
  const ctx = testContext();
  standAt(ctx, 'ada', 3);
  standAt(ctx, 'bob', 2);
  standAt(ctx, 'cat', 4);
  standAt(ctx, 'dan', 1);
  for (let rank = 5; rank <= 10; rank += 1) standAt(ctx, `op-${rank}`, rank, 14_000 + 300 * rank);
  // Operators without a rank in other chunks.
  for (let id = 20_000; id < 30_000; id += 256) standAt(ctx, `op-${id}`, null, id);
  let turns = 0;
  let isRead = false;
  const reading = readDailyFront(ctx.store, publication).finally(() => (isRead = true));
  while (!isRead) {
    await setImmediate();
    turns += 1;
  }
  const { tool, entries } = await reading;

  expect(tool).toBe('codex');
  expect(entries.slice(0, 4).map(({ rank, codename }) => [rank, codename])).toEqual([
    [1, 'dan'],
    [2, 'bob'],
    [3, 'ada'],
    [4, 'cat'],
  ]);
  expect(turns).toBeGreaterThanOrEqual(3);
});
