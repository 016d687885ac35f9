import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { deleteAccount } from '#server/commands/delete-account.ts';
import { databasePath } from '#server/config.ts';
import { verifyBackup } from '#server/backup-file.ts';
import { BASE_URL, bucketsOfDays } from '#tests/support/builders.ts';
import {
  aDataDir,
  anEnrolledDevice,
  execute,
  query,
  submit,
  testContext,
} from '#tests/support/context.ts';
import { runKeeper } from '#tests/support/keeper.ts';

/** A board with an operator who submitted, and what `opbench-board` says of it. */
async function aBoard() {
  const ctx = testContext();
  const device = await anEnrolledDevice(ctx, 'ada');
  await submit(ctx, device, bucketsOfDays(5, '2026-03-01'));
  const env = { DATA_DIR: ctx.config.dataDir, BASE_URL };
  const run = (...words: string[]) => runKeeper(words, env);
  return { ctx, device, run, file: join(aDataDir(), 'board.sqlite') };
}

const open = (path: string) => new Database(path, { readonly: true });

describe('backup', () => {
  test('is the whole board in a file for its owner, and tells the end of the log', async () => {
    const { ctx, run, file } = await aBoard();

    const { status, stdout } = await run('backup', file, '--json');

    const head = ctx.store.log.head();
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      path: file,
      bytes: statSync(file).size,
      log_index: head?.index,
      entry_hash: head?.entry_hash,
      operators: 1,
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(file, '..'))).toEqual(['board.sqlite']);
    const copy = open(file);
    for (const table of ['log_entries', 'buckets', 'devices', 'board_keys', 'secrets']) {
      const rows = copy.prepare(`SELECT * FROM ${table}`).all();
      expect(rows).toEqual(query(ctx, `SELECT * FROM ${table}`));
    }
    copy.close();
    expect(ctx.store.auditLog.newest(1)).toMatchObject([{ action: 'backup', subject: file }]);
  });

  test('holds nothing of what was deleted, not even in free parts', async () => {
    const { ctx, run, file } = await aBoard();
    const { public_id, id } = ctx.store.operators.byCodename('ada') ?? { public_id: '', id: 0 };
    await deleteAccount(ctx, id, 'ada');
    execute(ctx, `CREATE TABLE gone AS SELECT randomblob(100000) AS x; DROP TABLE gone`);
    expect(query(ctx, 'PRAGMA freelist_count')).not.toEqual([{ freelist_count: 0 }]);

    await run('backup', file);

    const copy = open(file);
    expect(copy.pragma('freelist_count', { simple: true })).toBe(0);
    expect(copy.serialize().includes(public_id)).toBe(false);
    copy.close();
  });

  test('overwrites nothing without --force', async () => {
    const { run, file } = await aBoard();
    writeFileSync(file, 'mine');

    const refused = await run('backup', file);

    expect([refused.status, statSync(file).size]).toEqual([1, 4]);
    expect(refused.stderr).toContain(`${file} is there already: name another file, or add --force`);
    expect((await run('backup', file, '--force')).status).toBe(0);
    expect(verifyBackup(file).operators).toBe(1);
  });

  test('says what stands in its way, and leaves nothing', async () => {
    const { ctx, run, file } = await aBoard();
    const folder = join(file, '..');
    const database = databasePath(ctx.config);
    mkdirSync(join(folder, 'inner'));

    const answers = [];
    for (const path of [join(folder, 'inner'), join(folder, 'no', 'x'), database, '', '-']) {
      answers.push(await run('backup', path, '--force'));
    }

    expect(answers.map(({ status }) => status)).toEqual([1, 1, 1, 1, 1]);
    expect(answers.map(({ stderr }) => stderr)).toEqual([
      expect.stringContaining('is a folder: name a file in it'),
      expect.stringContaining(`There is no folder ${join(folder, 'no')}: make it first`),
      expect.stringContaining("is the board's own database: name another file"),
      expect.stringContaining('backup takes one FILE'),
      expect.stringContaining('backup takes one FILE'),
    ]);
    expect(readdirSync(folder)).toEqual(['inner']);
  });

  test('drops what a backup that was killed has left', async () => {
    const { run, file } = await aBoard();
    // No process has a number as large as this.
    const [stale, other] = [`${file}.999999999.tmp`, `${file}.${process.ppid}.tmp`];
    [stale, other].forEach((path) => writeFileSync(path, ''));

    await run('backup', file);

    expect([existsSync(stale), existsSync(other)]).toEqual([false, true]);
  });

  test.each([
    [`UPDATE log_entries SET payload = x'7b7d' WHERE log_index = 3`, 'entry 3'],
    [`DELETE FROM log_entries WHERE log_index = 3`, 'entry'],
    [`PRAGMA foreign_keys = OFF; DELETE FROM devices`, 'misses a row'],
  ])('of a board that is not whole is not kept: %s', async (sql, told) => {
    const { ctx, run, file } = await aBoard();
    execute(ctx, `PRAGMA foreign_keys = OFF; ${sql}`);

    const { status, stderr } = await run('backup', file);

    expect(status).toBe(3);
    expect(stderr).toContain('is not whole, and was not kept');
    expect(stderr).toContain(told);
    expect(readdirSync(join(file, '..'))).toEqual([]);
  });
});
