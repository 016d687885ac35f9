import { statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { databasePath } from '#server/config/config.ts';
import { runAdmin } from '#tests/support/board/admin.ts';
import { BASE_URL } from '#tests/support/board/builders.ts';
import { aDataDir, execute, testContext } from '#tests/support/board/context.ts';
import { aBoard, examine } from '#tests/support/board/doctor.ts';
import { unpack } from '#tests/support/board/stored-forms.ts';
import Database from 'better-sqlite3';

test('compact returns unused space to the disk, also while the board is open', async () => {
  const ctx = testContext();
  execute(ctx, `CREATE TABLE gone AS SELECT zeroblob(90000000) AS x; DROP TABLE gone`);
  const settings = { DATA_DIR: ctx.config.dataDir, BASE_URL };
  const { told } = await examine(settings, '--offline');
  expect(told).toContainEqual(expect.stringMatching(/^warning database: 90\.\d MB of .* unused$/));

  const { status, stdout } = await runAdmin(['compact', '--json'], settings);

  const { before, after } = JSON.parse(stdout) as { before: number; after: number };
  expect([status, before - after]).toEqual([0, expect.closeTo(90_000_000, -6)]);
  expect(statSync(databasePath(ctx.config)).size).toBe(after);
  expect(ctx.store.log.head()?.index).toBeGreaterThan(0);
  const { told: then } = await examine(settings, '--offline');
  expect(then.join()).not.toContain('unused');
});

test('compact needs a board', async () => {
  const { status, stderr } = await runAdmin(['compact'], { DATA_DIR: aDataDir(), BASE_URL });
  expect([status, stderr]).toEqual([1, expect.stringContaining('no board')]);
});

test('doctor prints how many rows are left to move', async () => {
  const { settings, path } = await aBoard();
  const db = new Database(path);
  unpack(db);
  db.close();
  const { checks, status } = await examine(settings, '--offline');
  const left = checks.filter(({ text }) => /^\d+ rows are left/.test(text));
  expect([status, left.length]).toEqual([0, 1]);
});
