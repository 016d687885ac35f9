import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { deleteAccount } from '#server/account/delete-account.ts';
import { databasePath } from '#server/config/config.ts';
import { verifyBackup } from '#server/backups/backup-file.ts';
import { BASE_URL, bucketsOfDays } from '#tests/support/board/builders.ts';
import {
  aDataDir,
  anEnrolledDevice,
  execute,
  query,
  submit,
  testContext,
} from '#tests/support/board/context.ts';
import { runAdmin } from '#tests/support/board/admin.ts';
import { spoilTable } from '#tests/support/http/spoilt-page.ts';
import { openToRead } from '#tests/support/board/stored-forms.ts';
import { expectMode } from '#tests/support/board/file-mode.ts';

/** A board with an operator who submitted, and how to run `opbench-board` on it. */
async function aBoard() {
  const ctx = testContext();
  const device = await anEnrolledDevice(ctx, 'ada');
  await submit(ctx, device, bucketsOfDays(5, '2026-03-01'));
  const env = { DATA_DIR: ctx.config.dataDir, BASE_URL };
  const run = (...words: string[]) => runAdmin(words, env);
  return { ctx, device, run, file: join(aDataDir(), 'board.sqlite') };
}

const open = openToRead;

describe('backup', () => {
  test('contains the whole board in a file for its owner, and prints the end of the log', async () => {
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
      deleted: [],
    });
    expectMode(file, 0o600);
    expect(readdirSync(join(file, '..'))).toEqual(['board.sqlite']);
    const copy = open(file);
    for (const table of ['log_entries', 'buckets', 'devices', 'board_keys', 'secrets']) {
      const rows = copy.prepare(`SELECT * FROM ${table}`).all();
      expect(rows).toEqual(query(ctx, `SELECT * FROM ${table}`));
    }
    copy.close();
    expect(ctx.store.auditLog.newest(1)).toMatchObject([{ action: 'backup', subject: file }]);
  });

  test('contains no deleted data, not even in free pages', async () => {
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
    const { ctx, run, file } = await aBoard();
    writeFileSync(file, 'mine');

    const refused = await run('backup', file);

    expect([refused.status, statSync(file).size]).toEqual([3, 4]);
    expect(refused.stderr).toContain(`${file} already exists`);
    const made = await run('backup', file, '--force');
    const { index, entry_hash } = ctx.store.log.head() ?? {};
    expect([made.status, made.stdout.split('\n')[1]]).toEqual([0, `head ${index}:${entry_hash}`]);
    expect(verifyBackup(file).operators).toBe(1);
  });

  test('names the obstacle, and leaves no file', async () => {
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
      expect.stringContaining('is a folder'),
      expect.stringContaining(`There is no folder ${join(folder, 'no')}.`),
      expect.stringContaining("is the board's own database"),
      expect.stringContaining('backup takes one FILE'),
      expect.stringContaining('does not write to stdout'),
    ]);
    expect(readdirSync(folder)).toEqual(['inner']);
  });

  test('creates no file if the path names a folder', async () => {
    const { run, file } = await aBoard();
    writeFileSync(file, 'mine');
    const none = join(file, '..', 'none');

    for (const words of [['backup'], ['export'], ['export', '--parquet']]) {
      const { status, stderr } = await run(...words, `${none}/`);
      expect([status, stderr]).toEqual([1, expect.stringContaining(`no folder ${none}`)]);
      expect((await run(...words, '--force', `${file}/.`)).stderr).toContain('is a file, not a');
    }
    expect(readdirSync(join(file, '..'))).toEqual(['board.sqlite']);
  });

  test('explains how to open a board of another user', async () => {
    const { ctx, run, file } = await aBoard();
    const dataDir = aDataDir();
    ctx.store.erasure.checkpoint();
    copyFileSync(databasePath(ctx.config), databasePath({ dataDir }));
    // SQLite cannot open this, like a file of another user.
    mkdirSync(`${databasePath({ dataDir })}-wal`);

    const { status, stderr } = await runAdmin(['backup', file], { DATA_DIR: dataDir });

    expect([status, stderr]).toEqual([2, expect.stringContaining('Run this as a user')]);
    expect((await run('verify', databasePath({ dataDir }))).stderr).toBe(stderr);
  });

  test('removes the leftovers of a killed backup', async () => {
    const { run, file } = await aBoard();
    // No process has an ID as large as this.
    const stale = `${file}.999999999.opbench.tmp`;
    const others = [
      `${file}.${process.ppid}.opbench.tmp`,
      `${file}-of-today.sqlite.999999999.opbench.tmp`,
      `${file}.999999999.tmp`,
    ];
    // A day later the file has another name, and the ID may belong to another process.
    const idle = `${file}-of-yesterday.sqlite.${process.ppid}.opbench.tmp`;
    for (const command of [['backup'], ['export'], ['export', '--parquet']]) {
      [stale, idle, ...others].forEach((path) => writeFileSync(path, ''));
      utimesSync(idle, 0, Date.now() / 1000 - 86_401);

      expect((await run(...command, file, '--force')).status).toBe(0);

      expect([stale, idle].filter((path) => existsSync(path))).toEqual([]);
      expect(others.filter((path) => existsSync(path))).toEqual(others);
    }
  });

  test('of a damaged board reports the board, and not the file', async () => {
    const { ctx, run, file } = await aBoard();
    ctx.store.close();
    const database = databasePath(ctx.config);
    spoilTable(database, 'log_entries');

    const { status, stderr } = await run('backup', file);

    expect(status).toBe(3);
    expect(stderr).toMatch(
      /^opbench-board: \S+opbench\.sqlite is damaged .*restore FILE --force\n$/,
    );
    expect(stderr).toContain(`${database} is damaged`);
    expect(readdirSync(join(file, '..'))).toEqual([]);
  });

  test.each([
    [`UPDATE log_entries SET payload = x'7b7d' WHERE log_index = 3`, 'entry 3'],
    [`DELETE FROM log_entries WHERE log_index = 3`, 'entry'],
    [`INSERT INTO tiles VALUES (1, 0, zeroblob(32))`, 'do not belong to the tree'],
    [`PRAGMA foreign_keys = OFF; DELETE FROM devices`, 'missing row'],
    [`CREATE VIEW mine AS SELECT 1`, 'the view mine'],
  ])('of a faulty board is deleted: %s', async (sql, told) => {
    const { ctx, run, file } = await aBoard();
    execute(ctx, `PRAGMA foreign_keys = OFF; ${sql}`);

    const { status, stderr } = await run('backup', file);

    expect(status).toBe(3);
    expect(stderr).toContain('failed its check');
    expect(stderr).toContain(told);
    expect(readdirSync(join(file, '..'))).toEqual([]);
  });
});

describe.each([
  ['backup', ['backup']],
  ['export', ['export']],
  ['export --parquet', ['export', '--parquet']],
])('the file of %s', (_, command) => {
  test("writes nothing among the board's own files, under any name", async () => {
    const { ctx, run } = await aBoard();
    const { dataDir } = ctx.config;
    const link = join(aDataDir(), 'link');
    symlinkSync(dataDir, link);
    mkdirSync(join(dataDir, 'inner'));
    const before = readdirSync(dataDir);

    for (const name of ['server.lock', 'log.ndjson.gz', 'inner/new']) {
      for (const folder of [dataDir, link]) {
        const { status, stderr } = await run(...command, join(folder, name), '--force');
        expect([status, stderr]).toEqual([1, expect.stringContaining('keeps its own files')]);
      }
    }
    const { status, stderr } = await run(...command, databasePath(ctx.config), '--force');
    expect([status, stderr]).toEqual([1, expect.stringContaining("board's own database")]);

    expect(readdirSync(dataDir)).toEqual(before);
    expect(readdirSync(join(dataDir, 'inner'))).toEqual([]);
  });

  test('replaces nothing without --force, and follows no link', async () => {
    const { run, file } = await aBoard();
    const mine = join(aDataDir(), 'mine');
    writeFileSync(mine, 'mine');
    symlinkSync(mine, file);
    symlinkSync(mine, `${file}.${process.pid}.opbench.tmp`);

    const refused = await run(...command, file);
    expect([refused.status, refused.stderr]).toEqual([
      3,
      expect.stringContaining(`${file} already exists`),
    ]);
    expect((await run(...command, file, '--force')).status).toBe(0);
    expect(readFileSync(mine, 'utf8')).toBe('mine');
    expect(statSync(file).size).toBeGreaterThan(4);
  });
});
