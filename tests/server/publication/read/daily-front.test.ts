import Database from 'better-sqlite3';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { packDailyStanding } from '#core/domain/board/daily-standing.ts';
import { databasePath } from '#server/config/config.ts';
import { readDailyFront } from '#server/publication/read/front-board.ts';
import { type TestContext, testContext } from '#tests/support/board/context.ts';

const DAY = '2026-03-09';
const SLICE = { tool: 'codex', trust: 'signed' } as const;

/** The range of IDs of a large board. */
const FAR_APART = { ada: 3, bob: 5_000, cat: 5_001, dan: 12_345 };

function standAt(ctx: TestContext, name: keyof typeof FAR_APART, rank: number): void {
  const operator_id = FAR_APART[name];
  const db = new Database(databasePath(ctx.config));
  db.prepare(
    `INSERT INTO operators (id, public_id, codename, public_name, created_at)
     VALUES (@operator_id, @name, @name, @name, '')`,
  ).run({ operator_id, name });
  db.close();
  const place = { value: 1.5, interval: null, rank, place: rank };
  const places = { yield: place, leverage: place, velocity: place, snr: place, dev10x: place };
  const body = packDailyStanding({ all_time: places, '90d': places, '30d': places });
  ctx.store.dailyStandings.add(DAY, SLICE, [{ operator_id, body }]);
}

const publication = {
  day: DAY,
  log_index: 1,
  ruleset: '1',
  generated_at: `${DAY}T23:00:00Z`,
  tools: ['claude-code', 'codex'],
  self_reported: false,
};

test('a front board of many operators is read completely, and other work runs in between', async () => {
  const ctx = testContext();
  standAt(ctx, 'ada', 3);
  standAt(ctx, 'bob', 2);
  standAt(ctx, 'cat', 4);
  standAt(ctx, 'dan', 1);
  let turns = 0;
  let isRead = false;
  const reading = readDailyFront(ctx.store, publication).finally(() => (isRead = true));
  while (!isRead) {
    await setImmediate();
    turns += 1;
  }
  const { tool, entries } = await reading;

  expect(tool).toBe('codex');
  expect(entries.map(({ rank, codename }) => [rank, codename])).toEqual([
    [1, 'dan'],
    [2, 'bob'],
    [3, 'ada'],
    [4, 'cat'],
  ]);
  expect(turns).toBeGreaterThanOrEqual(6);
});
