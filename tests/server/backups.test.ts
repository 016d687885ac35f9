import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { openStore } from '#db/store.ts';
import { StoreError } from '#db/store-error.ts';
import { backUpBeforeUpgrade, expireBackups, ownBackupPath } from '#server/backups.ts';
import { databasePath } from '#server/config.ts';
import { DAY_MS, NOW, NOW_MS } from '../support/builders.ts';
import { MIGRATIONS, aDataDir, anOperator, testContext } from '../support/context.ts';

const now = () => new Date(NOW);

test('own backups are deleted after 30 days, and nothing else is', () => {
  const dataDir = aDataDir();
  const old = new Date(NOW_MS - 30 * DAY_MS);
  const young = new Date(NOW_MS - 30 * DAY_MS + 1_000);
  const over = [
    ownBackupPath({ dataDir }, 'before', '0002-x', old),
    ownBackupPath({ dataDir }, 'replaced', '', old),
  ];
  const kept = [ownBackupPath({ dataDir }, 'before', '0002-x', young)];
  const foreign = [join(dataDir, 'backups', 'mine.sqlite'), join(dataDir, 'opbench.sqlite')];
  [...over, `${over[1]}-wal`, ...kept, ...foreign].forEach((path) => writeFileSync(path, path));
  writeFileSync(join(dataDir, 'restoring.sqlite-wal'), '');

  expect(expireBackups(dataDir, now())).toHaveLength(4);

  expect(readdirSync(join(dataDir, 'backups'))).toHaveLength(2);
  expect(readdirSync(dataDir).sort()).toEqual(['backups', 'opbench.sqlite']);
  expect(expireBackups(join(dataDir, 'nowhere'), now())).toEqual([]);
});

test('a database that lacks a migration is upgraded by the server alone, after a backup', () => {
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
    'A newer version of Opbench',
  );
});

test('an upgrade without its backup says what to do', () => {
  const { config } = testContext();
  rmSync(join(config.dataDir, 'backups'), { recursive: true, force: true });
  writeFileSync(join(config.dataDir, 'backups'), '');

  expect(() => backUpBeforeUpgrade(config, '0002-x.sql', now())).toThrow(
    /must be upgraded, and was left as it is.*Then start again/,
  );
});
