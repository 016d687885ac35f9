import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { prepareBackupFolder } from '#server/backups/backup-folder.ts';
import { ConfigError } from '#server/config/config-error.ts';
import { aDataDir } from '#tests/support/board/context.ts';

const IS_WINDOWS = process.platform === 'win32';
const prepare = (folder: string, dataDir = aDataDir()) => {
  return prepareBackupFolder({ dataDir, backup: { folder, keep: 1, atMinutes: 0 } });
};

test('creates a missing folder that only the user of the board can read', () => {
  const folder = join(aDataDir(), 'a', 'b');

  expect(prepare(folder)).toEqual([]);
  if (!IS_WINDOWS) expect(statSync(folder).mode & 0o777).toBe(0o700);
});

test('does nothing without BACKUP_DIR', () => {
  expect(prepareBackupFolder({ dataDir: aDataDir(), backup: null })).toEqual([]);
});

test('rejects a file, and a folder that cannot be created', () => {
  const file = join(aDataDir(), 'file');
  writeFileSync(file, '');

  for (const folder of [file, join(file, 'inside')]) {
    expect(() => prepare(folder)).toThrow(ConfigError);
    expect(() => prepare(folder)).toThrow(`BACKUP_DIR: cannot write to ${folder} (E`);
  }
});

test.skipIf(IS_WINDOWS || process.getuid?.() === 0)('rejects a folder without write access', () => {
  const folder = aDataDir();
  chmodSync(folder, 0o500);

  expect(() => prepare(folder)).toThrow(`BACKUP_DIR: cannot write to ${folder} (EACCES)`);
});

test.skipIf(IS_WINDOWS)('rejects the data folder and folders in it, also through a link', () => {
  const dataDir = aDataDir();
  const inside = join(dataDir, 'backups');
  mkdirSync(inside);
  const link = join(aDataDir(), 'link');
  symlinkSync(inside, link);

  for (const folder of [dataDir, inside, link, join(link, 'deeper')]) {
    expect(() => prepare(folder, dataDir)).toThrow(`BACKUP_DIR: ${folder} is in DATA_DIR`);
  }
});

test('deletes what a killed server left, but nothing that may be in use', () => {
  const folder = aDataDir();
  const { pid: ended } = spawnSync(process.execPath, ['--version']);
  const name = (pid: number | undefined) => `opbench-2026-11-24T032000Z.sqlite.${pid}.opbench.tmp`;
  const old = [
    name(ended),
    name(process.pid),
    name(process.ppid),
    `board.sqlite.${ended}.opbench.tmp`,
  ];
  for (const each of [...old, 'opbench-2026-11-24T032000Z.sqlite']) {
    writeFileSync(join(folder, each), '');
    utimesSync(join(folder, each), 1, 1);
  }
  writeFileSync(join(folder, name(ended).replace('T03', 'T04')), 'written by another machine now');

  expect(prepare(folder).sort()).toEqual([name(ended), name(process.pid)].sort());
  expect(readdirSync(folder)).toHaveLength(4);
});
