import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { bucketsIn } from '#db/buckets.ts';
import { countsIn } from '#db/counts.ts';
import { runMoves } from '#db/engine/moves.ts';
import { openStore } from '#db/store.ts';
import { countsMoveIn } from '#db/unmoved-counts.ts';
import { usageIn } from '#db/usage.ts';
import { Projection } from '#server/publication/projection.ts';
import { databasePath } from '#server/config/config.ts';
import { aCountedBucket, bucketsOfDays } from '#tests/support/board/builders.ts';
import {
  MIGRATIONS,
  ROOT,
  aDataDir,
  anEnrolledDevice,
  submit,
  testContext,
} from '#tests/support/board/context.ts';
import { aPopulatedDatabase, plansOf } from '#tests/support/board/database.ts';
import { fingerprintOfResponses } from '#tests/support/board/fingerprints.ts';
import { unmoveCounts } from '#tests/support/board/unmoved-counts.ts';
import { aBoardOf, theWholeBoard, verified } from '#tests/support/board/whole-board.ts';

const ALL = `SELECT operator_id, day, tool, provider, model, device_id, input, output, cache_write, cache_read, log_index,
  counts, stated_input, stated_output, stated_cache_write, stated_cache_read, fingerprint
  FROM buckets ORDER BY 1, 2, 3, 4, 5, 6`;
const rowsOf = (db: Database.Database) => db.prepare(ALL).all();
const leftIn = (db: Database.Database) =>
  db.prepare('SELECT count(*) FROM unmoved_buckets').pluck().get() as number;

/** 2,500 days of one operator, all stored by an earlier version. */
function aLongAccount() {
  const db = aPopulatedDatabase();
  const part = { input: 550, output: 5_000, cache_write: null, cache_read: 500_000 };
  const days = bucketsOfDays(2_500, '2020-01-01');
  const rows = days.map((bucket, at) =>
    aCountedBucket({
      ...bucket,
      tool: ['claude-code', 'codex'][at % 2] as string,
      device_id: 1 + (at % 3),
      ...(at % 5 === 0 && { cache_write: null, counted: part }),
      ...(at % 7 === 0 && { fingerprint: fingerprintOfResponses(0, 30) }),
      counts: at % 11 === 0 ? 0 : 1,
    }),
  );
  bucketsIn(db).replaceGroups(1, [], rows);
  const packed = usageIn(db).of(1);
  const before = rowsOf(db);
  unmoveCounts(db);
  return { db, before, packed };
}

describe('moving daily counts', () => {
  test('loses and changes no row at any step, in each of which boards read the same', () => {
    const { db, before, packed } = aLongAccount();
    const left = [leftIn(db)];

    // Each step is by another process, as after a crash.
    do {
      expect(rowsOf(db)).toEqual(before);
      expect(usageIn(db).of(1)).toEqual(packed);
    } while (countsMoveIn(db).step() && left.push(leftIn(db)) < 9);

    expect(left).toEqual([2_500, 2_000, 1_500, 1_000, 500, 0]);
    expect(countsMoveIn(db).left()).toBe(0);
    expect(rowsOf(db)).toEqual(before);
    expect(usageIn(db).of(1)).toEqual(packed);
  });

  test('leaves a row that its copy would not equal where it is', () => {
    const db = aPopulatedDatabase();
    const insert = db.prepare(`INSERT INTO unmoved_buckets
      VALUES (1, ?, 't', 1, 'p', 'm', 1, 2, 3, 4, 1, 1, NULL, NULL, NULL, NULL, NULL)`);
    insert.run('2026-02-28');
    insert.run('2026-02-31');

    expect(() => countsMoveIn(db).step()).toThrow(/operator 1 differ from their copies/);
    expect(leftIn(db)).toBe(2);
    expect(db.prepare('SELECT 1 FROM sources').all()).toEqual([]);
  });

  test('happens by the day before a submission changes it', () => {
    const { db } = aLongAccount();
    const buckets = bucketsIn(db);
    const group = { operator_id: 1, day: '2020-01-05', tool: 'claude-code' };
    const [standing] = buckets.group(group);
    if (!standing) throw new Error('It is the fifth day');
    const counted = { ...standing.counted, output: 9 };

    buckets.replaceGroups(1, [standing], [{ ...standing, counted, log_index: 2 }]);

    expect(leftIn(db)).toBe(2_499);
    expect(buckets.group(group)).toEqual([{ ...standing, counted, log_index: 2 }]);
  });
});

test('a board has the same values before, during and after the move', async () => {
  const ctx = testContext();
  for (const [at, name] of ['ada', 'bob', 'cyd'].entries()) {
    const device = await anEnrolledDevice(ctx, name);
    const days = bucketsOfDays(40, '2026-01-20', { output: 20_000 + at });
    const others = bucketsOfDays(9, '2026-02-20', { tool: 'codex', model: 'a', cache_read: null });
    await submit(
      ctx,
      device,
      [...days, ...others].map((one, i) => ({ ...one, input: 900 + i })),
    );
  }
  const boards = () => {
    const projection = new Projection(ctx.ruleset);
    projection.refresh(ctx.store, '2026-03-01');
    return projection.project();
  };
  const after = boards();
  const db = new Database(databasePath(ctx.config));
  unmoveCounts(db);
  db.close();

  expect(boards()).toEqual(after);
  ctx.store.transaction(() => {
    const standing = ctx.store.buckets.group({ operator_id: 2, day: '2026-02-20', tool: 'codex' });
    ctx.store.buckets.replaceGroups(2, standing, []);
    ctx.store.buckets.replaceGroups(2, [], standing);
  });
  expect(boards()).toEqual(after);
  runMoves(ctx.store);
  expect(boards()).toEqual(after);
});

test('a board of the first release is whole before, during and after the move', async () => {
  const path = join(aDataDir(), 'opbench.sqlite');
  const earlier = new Database(path);
  earlier.exec(readFileSync(join(ROOT, 'tests/fixtures/first-release.sql'), 'utf8'));
  const rows = earlier.prepare('SELECT count(*) FROM buckets').pluck().get() as number;
  earlier.close();
  const store = openStore({
    path,
    migrations: MIGRATIONS,
    now: () => new Date(0),
    beforeUpgrade: () => undefined,
  });
  onTestFinished(() => store.close());
  const whole = async () => (await verified({ DATA_DIR: aDataDir() }, path)).whole;

  expect(store.moves.map(({ left }) => left())).toContain(rows);
  expect(await whole()).toBe(true);
  store.moves.forEach(({ step }) => step());
  expect(await whole()).toBe(true);
  runMoves(store);
  expect(store.moves.map(({ left }) => left())).not.toContain(rows);
  expect(await whole()).toBe(true);
});

test('a board whose daily counts are not moved is whole', async () => {
  const { database } = await theWholeBoard();

  const board = aBoardOf(database, (db) => unmoveCounts(db, 'c.day % 2'));

  expect(await verified(board)).toMatchObject({ status: 0, whole: true, findings: [] });
});

test('reading some days uses the keys of both tables', () => {
  const db = aPopulatedDatabase();
  const plans = [...plansOf(db, bucketsIn), ...plansOf(db, countsIn)].filter(({ sql }) =>
    /SELECT[^]*FROM buckets b?\s*WHERE[^]*day_number (?:BETWEEN|=)/.test(sql),
  );

  expect(plans.length).toBeGreaterThan(5);
  for (const { steps } of plans) {
    const plan = steps.join('\n');
    expect(plan).toMatch(
      /SEARCH c USING PRIMARY KEY \(operator_id=\? AND (?:day=|day>\? AND day<|\(day,source,device_id\)>)/,
    );
    expect(plan).toMatch(/SEARCH unmoved_buckets USING .*operator_id=\? AND day(?:=|>\? AND day<)/);
    expect(plan).not.toContain('SCAN unmoved_buckets');
  }
});
