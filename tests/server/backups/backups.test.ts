import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, expect, test, vi } from 'vitest';
import { openStore } from '#db/store.ts';
import { StoreError } from '#db/engine/store-error.ts';
import {
  backUpBeforeUpgrade,
  dropLeftovers,
  expireBackups,
  ownBackupPath,
  watchBackups,
} from '#server/backups/backups.ts';
import { databasePath } from '#server/config/config.ts';
import { createLogger } from '#server/process/logger.ts';
import { DAY_MS, NOW, NOW_MS } from '#tests/support/board/builders.ts';
import { MIGRATIONS, aDataDir, anOperator, testContext } from '#tests/support/board/context.ts';

const now = () => new Date(NOW);
const quiet = createLogger(() => undefined);

afterEach(() => void vi.useRealTimers());

/** One of the server's own backups, made and last written at these times. */
function anOwnBackup(dataDir: string, made: Date, written = made): string {
  const path = ownBackupPath({ dataDir }, 'before', '0002-x', made);
  writeFileSync(path, '');
  utimesSync(path, written, written);
  return path;
}

test("deletes the server's own backups after 30 days, and nothing else", () => {
  const dataDir = aDataDir();
  const old = new Date(NOW_MS - 30 * DAY_MS);
  const young = new Date(NOW_MS - 30 * DAY_MS + 1_000);
  const over = [
    ownBackupPath({ dataDir }, 'before', '0002-x', old),
    ownBackupPath({ dataDir }, 'replaced', '', old),
  ];
  const kept = [ownBackupPath({ dataDir }, 'before', '0002-x', young)];
  const foreign = [join(dataDir, 'backups', 'mine.sqlite'), join(dataDir, 'opbench.sqlite')];
  for (const path of [...over, `${over[1]}-wal`, ...kept, ...foreign]) {
    writeFileSync(path, path);
    utimesSync(path, old, old);
  }
  // A recently written file is not as old as its name says.
  const rewritten = anOwnBackup(dataDir, new Date(NOW_MS - 32 * DAY_MS), young);

  expect(expireBackups(dataDir, now())).toHaveLength(3);

  expect(existsSync(rewritten)).toBe(true);

  expect(readdirSync(join(dataDir, 'backups'))).toHaveLength(3);
  expect(readdirSync(dataDir).sort()).toEqual(['backups', 'opbench.sqlite']);
  expect(expireBackups(join(dataDir, 'nowhere'), now())).toEqual([]);
});

test('removes the leftovers of killed commands and upgrades, and nothing else', () => {
  const dataDir = aDataDir();
  const backups = join(dataDir, 'backups');
  mkdirSync(backups);
  const kept = ['opbench.sqlite', 'restoring.sqlite.mine'];
  const left = ['restoring.sqlite', 'restoring.sqlite-wal'];
  const draft = 'before-0002-x-20260301T000000000Z.sqlite.999.opbench.tmp';
  [...kept, ...left].forEach((name) => writeFileSync(join(dataDir, name), name));
  [draft, `${draft}-journal`, 'mine.999.tmp'].forEach((name) => {
    writeFileSync(join(backups, name), name);
  });
  linkSync(join(dataDir, 'opbench.sqlite'), join(backups, 'replaced-20260301T000000000Z.sqlite'));

  expect(dropLeftovers(dataDir)).toHaveLength(5);

  expect(readdirSync(dataDir).sort()).toEqual(['backups', ...kept].sort());
  expect(readdirSync(backups)).toEqual(['mine.999.tmp']);
});

test('a server deletes old backups after its clock was steady for an hour', () => {
  vi.useFakeTimers({
    now: NOW_MS,
    toFake: ['Date', 'performance', 'setInterval', 'clearInterval'],
  });
  const dataDir = aDataDir();
  const young = anOwnBackup(dataDir, new Date(NOW_MS - DAY_MS));
  const old = anOwnBackup(dataDir, new Date(NOW_MS - 31 * DAY_MS));
  writeFileSync(join(dataDir, 'restoring.sqlite'), '');
  const hour = 60 * 60_000;

  const watch = watchBackups(dataDir, quiet);
  expect(existsSync(join(dataDir, 'restoring.sqlite'))).toBe(false);
  vi.advanceTimersByTime(hour / 2);
  expect(existsSync(old)).toBe(true);
  // The clock is set a year forward, and back again after a while.
  vi.setSystemTime(NOW_MS + 365 * DAY_MS);
  vi.advanceTimersByTime(hour);
  expect([old, young].map((path) => existsSync(path))).toEqual([true, true]);
  vi.setSystemTime(NOW_MS + 2 * hour);
  vi.advanceTimersByTime(3 * hour);
  expect([old, young].map((path) => existsSync(path))).toEqual([false, true]);
  watch.stop();
});

test('only the server upgrades an older database, after a backup', () => {
  const ctx = testContext();
  anOperator(ctx, 'ada');
  const path = databasePath(ctx.config);
  const migrations = join(aDataDir(), 'migrations');
  mkdirSync(migrations);
  for (const name of readdirSync(MIGRATIONS)) writeFileSync(join(migrations, name), '');
  writeFileSync(join(migrations, '9998-next.sql'), 'CREATE TABLE next (x TEXT) STRICT;');
  const options = { path, migrations, now };

  expect(() => openStore(options)).toThrow('Start the board once');
  const failing = () => {
    throw new StoreError('older', 'no room');
  };
  expect(() => openStore({ ...options, beforeUpgrade: failing })).toThrow('no room');
  const db = new Database(path);
  expect(db.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'next'`).get()).toBeUndefined();
  db.close();

  const firsts: string[] = [];
  openStore({ ...options, beforeUpgrade: (first) => firsts.push(first) }).close();
  expect(firsts).toEqual(['9998-next.sql']);
  expect(() => openStore({ path, migrations: MIGRATIONS, now })).toThrow(
    'a newer version of Opbench',
  );
});

test('an upgrade without a backup says what to do', () => {
  const { config } = testContext();
  rmSync(join(config.dataDir, 'backups'), { recursive: true, force: true });
  writeFileSync(join(config.dataDir, 'backups'), '');

  expect(() => backUpBeforeUpgrade(config, '0002-x.sql', now())).toThrow(
    /was not upgraded.*start the board again/,
  );
});
