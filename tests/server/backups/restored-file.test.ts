import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  readFileSync,
  readdirSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { ownBackupPath } from '#server/backups/backups.ts';
import { databasePath } from '#server/config/config.ts';
import { copyPrivately } from '#server/process/atomic-file.ts';
import { bucketsOfDays } from '#tests/support/board/builders.ts';
import { aDataDir, anEnrolledDevice, submit } from '#tests/support/board/context.ts';
import { aBackedUpBoard, aKilledCopy, restoreInto } from '#tests/support/board/restoring.ts';
import { expectMode } from '#tests/support/board/file-mode.ts';

const ALL = ['ada', 'bob', 'carol', 'dan'];

/** The operators on the board of a folder. */
function namesIn(dataDir: string): unknown[] {
  const db = new Database(databasePath({ dataDir }), { readonly: true });
  try {
    return db.prepare('SELECT codename FROM operators').pluck().all();
  } finally {
    db.close();
  }
}

describe('the restored file', () => {
  test('is not deleted, even if it is an old backup of the server itself', async () => {
    const { ctx, file } = await aBackedUpBoard();
    const dataDir = aKilledCopy(ctx);
    const old = ownBackupPath({ dataDir }, 'before', '0002-x', new Date(0));
    copyFileSync(file, old);
    utimesSync(old, 0, 0);
    writeFileSync(join(dataDir, 'restoring.sqlite'), '');
    writeFileSync(join(dataDir, 'restoring.sqlite.mine'), '');

    expect((await restoreInto(dataDir, old)).stderr).toContain('To replace it, add --force');
    const restored = await restoreInto(dataDir, old, '--force');

    expect([restored.status, existsSync(old)]).toEqual([0, true]);
    expect(readdirSync(dataDir)).not.toContain('restoring.sqlite');
    expect(readdirSync(dataDir)).toContain('restoring.sqlite.mine');
  });

  test('is not a temporary file or a second name of the database', async () => {
    const { ctx, file } = await aBackedUpBoard();
    const dataDir = aKilledCopy(ctx);
    const other = ownBackupPath({ dataDir }, 'replaced', '', new Date(0));
    linkSync(databasePath({ dataDir }), other);
    copyFileSync(file, join(dataDir, 'restoring.sqlite'));

    for (const path of [other, join(dataDir, 'restoring.sqlite')]) {
      const { status, stderr } = await restoreInto(dataDir, path, '--force');
      expect([status, stderr]).toEqual([1, expect.stringContaining('not a backup')]);
      expect(existsSync(path)).toBe(true);
    }
  });

  test('is rejected while half a change may be in it', async () => {
    const { ctx, file } = await aBackedUpBoard();
    const dataDir = aKilledCopy(ctx);
    const cut = join(aDataDir(), 'cut.sqlite');
    halfChange(file, cut);

    const { status, stderr } = await restoreInto(dataDir, cut, '--force');

    expect([status, stderr]).toEqual([3, expect.stringContaining(`${cut}-journal`)]);
    expect(namesIn(dataDir)).toEqual(ALL);
    // Opening the file undoes the change.
    new Database(cut).exec('BEGIN IMMEDIATE; COMMIT').close();
    expect((await restoreInto(dataDir, cut, '--force')).status).toBe(0);
    expect(namesIn(dataDir)).toEqual(ALL);
  });

  test('is read at one moment with its write-ahead log', async () => {
    const { ctx } = await aBackedUpBoard();
    await submit(ctx, await anEnrolledDevice(ctx, 'eve'), bucketsOfDays(4, '2026-03-01'));
    const dataDir = aDataDir();
    const copied = vi.spyOn(Database.prototype, 'prepare');
    onTestFinished(() => copied.mockRestore());

    const restored = await restoreInto(dataDir, databasePath(ctx.config));

    expect(restored.status).toBe(0);
    expect(copied).toHaveBeenCalledWith('VACUUM INTO ?');
    expect(namesIn(dataDir)).toEqual([...ALL, 'eve']);
  });

  test('cannot be read with an invalid write-ahead log', async () => {
    const { ctx, file } = await aBackedUpBoard();
    writeFileSync(file, 'x'.repeat(8192));
    writeFileSync(`${file}-wal`, 'x');
    const dataDir = aKilledCopy(ctx);

    const { status, stderr } = await restoreInto(dataDir, file, '--force');

    expect([status, stderr]).toEqual([2, expect.stringContaining(`Cannot read ${file} with`)]);
    expect(namesIn(dataDir)).toEqual(ALL);
  });

  test.each([0o400, 0o644])('with mode %i is copied so that only its owner can read it', (mode) => {
    const from = join(aDataDir(), 'from');
    const large = Buffer.alloc(3_000_001, 'secret');
    writeFileSync(from, large);
    chmodSync(from, mode);
    const to = join(aDataDir(), 'to');

    copyPrivately(from, to);

    expectMode(to, 0o600);
    expect(readFileSync(to).equals(large)).toBe(true);
    expect(() => copyPrivately(from, to)).toThrow('EEXIST');
  });
});

/** Copies a database while half of a change is in its file, which simulates a crash. */
function halfChange(file: string, cut: string): void {
  const db = new Database(file);
  db.pragma('cache_size = 1');
  db.exec(`BEGIN; UPDATE daily_counts SET output = output + 1; UPDATE operators SET codename = codename || 'x';
    UPDATE log_entries SET payload = payload`);
  ['', '-journal'].forEach((suffix) => copyFileSync(file + suffix, cut + suffix));
  db.exec('ROLLBACK');
  db.close();
  expect(readFileSync(cut).equals(readFileSync(file))).toBe(false);
}
