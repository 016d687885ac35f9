import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { beginErasure, deleteAccount, resumeErasures } from '#server/account/delete-account.ts';
import { databasePath } from '#server/config/config.ts';
import { readLog } from '#server/public-log/log.ts';
import { LogQuery } from '#core/contract/log.ts';
import { DEFAULT_SLICE } from '#core/domain/board/slices.ts';
import { dayName } from '#core/domain/counting/day.ts';
import { bucketsOfDays } from '#tests/support/board/builders.ts';
import { anActive } from '#tests/support/board/boards.ts';
import { type TestContext, dumpOf, query, submit } from '#tests/support/board/context.ts';
import { EVE, aDeletionScene } from '#tests/support/board/deletion.ts';
import { addDay, aRankedRow } from '#tests/support/board/kept-days.ts';
import { tracesIn } from '#tests/support/http/traces.ts';
import { aBoardOf, verified } from '#tests/support/board/whole-board.ts';

/** An account with so many log entries that it is erased in steps. */
async function aLongScene({ entries = 12, bytes = 300_000 } = {}) {
  const scene = await aDeletionScene();
  const { ctx, operator_id } = scene;
  const payload = { text: 'x'.repeat(bytes) };
  ctx.store.transaction(() => {
    for (let at = 0; at < entries; at += 1) {
      const entry = { kind: 'snapshot', operator_id, payload, now: ctx.now() } as const;
      ctx.store.log.append(entry);
    }
  });
  const years = [1, 2, 3].map((at) => bucketsOfDays(1000, '2023-03-01', { model: `m${at}` }));
  anActive(ctx, EVE, years.flat());
  await ctx.publications.publishNow({ hides: false });
  return scene;
}

/** Leftover rows of an account in tables that are not checked by name. */
function rowsOf(ctx: TestContext, operator_id: number): number {
  const rows = Object.values(dumpOf(ctx)).flat() as { operator_id?: number }[];
  return rows.filter((row) => row.operator_id === operator_id).length;
}

/** Whether any data of the account can still be read. */
function isShown({ store, publications }: TestContext, operator_id: number): boolean {
  const seen = store.operators.seen().some(({ id }) => id === operator_id);
  const known = store.operators.byId(operator_id) ?? store.operators.byCodename(EVE);
  return seen || known !== undefined || publications.current()?.window('30d').total('yield') !== 1;
}

describe('an account on many earlier boards', () => {
  test('is erased from all of them before the answer, in steps', async () => {
    const { ctx, operator_id } = await aDeletionScene();
    const { keptDays, erasure } = ctx.store;
    const DAYS = 40;
    const rows = [aRankedRow(operator_id, 1), aRankedRow(operator_id + 300, 2)];
    const db = new Database(databasePath(ctx.config));
    db.prepare(
      `INSERT INTO operators (id, public_id, codename, public_name, created_at)
       VALUES (?, 'other', 'other', 'other', '')`,
    ).run(operator_id + 300);
    db.close();
    for (let day = 0; day < DAYS; day += 1) {
      addDay(keptDays, dayName(20_000 + day), DEFAULT_SLICE, rows);
    }
    let turns = 0;
    const count = () => {
      turns += 1;
      counting = setImmediate(count);
    };
    let counting = setImmediate(count);

    await deleteAccount(ctx, operator_id, EVE);

    clearImmediate(counting);
    expect(turns).toBeGreaterThan(3);
    expect([operator_id, operator_id + 300].map((id) => erasure.sizeOf(id).chunks)).toEqual([
      0,
      DAYS,
    ]);
    expect(keptDays.places(dayName(20_000), DEFAULT_SLICE).operators).toEqual(
      Uint32Array.of(operator_id + 300),
    );
    expect(query(ctx, 'SELECT 1 FROM day_values')).toHaveLength(DAYS);
  });
});

describe('a long account', () => {
  test('is erased without a trace, in steps between which other requests are served', async () => {
    const { ctx, zoe, operator_id, pieces } = await aLongScene();
    let turns = 0;
    const count = () => {
      turns += 1;
      counting = setImmediate(count);
    };
    let counting = setImmediate(count);

    const [{ log_index }] = await Promise.all([
      deleteAccount(ctx, operator_id, EVE),
      submit(ctx, zoe, bucketsOfDays(1, '2026-03-09')),
    ]);

    clearImmediate(counting);
    expect(turns).toBeGreaterThan(10);
    expect(log_index).not.toBeNull();
    expect(rowsOf(ctx, operator_id)).toBe(0);
    expect(tracesIn(ctx.config.dataDir, { ...pieces, text: 'x'.repeat(60) })).toEqual([]);
    expect(query(ctx, 'PRAGMA foreign_key_check')).toEqual([]);
  });

  test('is hidden from everyone before it is erased, and stays hidden if the process ends', async () => {
    const { ctx, operator_id, device, cookie } = await aLongScene();
    ctx.store.transaction(() => beginErasure(ctx, operator_id));
    await ctx.publications.publishNow({ hides: true });

    expect(isShown(ctx, operator_id)).toBe(false);
    expect(await ctx.sessions.read(cookie)).toBeNull();
    await expect(submit(ctx, device, bucketsOfDays(1, '2026-03-09'))).rejects.toMatchObject({
      code: 'key_unknown',
    });
    await expect(deleteAccount(ctx, operator_id, EVE)).rejects.toMatchObject({ code: 'not_found' });
    const shown = readLog(ctx, LogQuery.parse({ limit: '100' })).entries;
    expect(shown.filter(({ payload }) => payload?.includes(EVE))).toEqual([]);

    let steps = 0;
    while (ctx.store.transaction(() => ctx.store.erasure.step(operator_id))) {
      steps += 1;
      if (steps % 5 !== 2) continue;
      expect(isShown(ctx, operator_id)).toBe(false);
      expect(await verified(aBoardOf(fileOf(ctx)))).toMatchObject({ findings: [] });
    }
    expect(steps).toBeGreaterThan(6);
  });

  test('is erased by the next process if the erasure was interrupted', async () => {
    const { ctx, operator_id, pieces } = await aLongScene();
    ctx.store.transaction(() => beginErasure(ctx, operator_id));
    for (let step = 0; step < 5; step += 1) {
      ctx.store.transaction(() => ctx.store.erasure.step(operator_id));
    }
    expect(rowsOf(ctx, operator_id)).toBeGreaterThan(0);

    await resumeErasures(ctx);

    expect(rowsOf(ctx, operator_id)).toBe(0);
    expect(tracesIn(ctx.config.dataDir, pieces)).toEqual([]);
    expect(ctx.store.erasure.pending()).toEqual([]);
    expect(await verified(aBoardOf(fileOf(ctx)))).toMatchObject({ findings: [] });
  });

  test('is erased in steps of about a megabyte at most', async () => {
    const { ctx, operator_id } = await aLongScene();
    ctx.store.transaction(() => beginErasure(ctx, operator_id));
    const left = () => ctx.store.erasure.sizeOf(operator_id);
    let before = left();
    while (ctx.store.transaction(() => ctx.store.erasure.step(operator_id))) {
      const after = left();
      expect(before.bytes - after.bytes).toBeLessThan(1.5 * 1024 * 1024);
      expect(before.buckets - after.buckets).toBeLessThanOrEqual(1000);
      before = after;
    }
    expect(before).toEqual({ bytes: 0, buckets: 0, chunks: 0 });
  });
});

/** A copy of the board's database as a single file, without a write-ahead log. */
function fileOf(ctx: TestContext): Buffer {
  const db = new Database(databasePath(ctx.config), { readonly: true });
  const database = db.serialize();
  db.close();
  database.fill(1, 18, 20);
  return database;
}
