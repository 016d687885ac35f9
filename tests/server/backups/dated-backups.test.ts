import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { datedBackupPath, deleteOldBackups } from '#server/backups/dated-backups.ts';
import { aDataDir } from '#tests/support/board/context.ts';

const NOW = new Date('2026-11-24T03:20:05.678Z');

test('a backup is named after the time at which it is made', () => {
  expect(datedBackupPath('/backups', NOW)).toBe(
    join('/backups', 'opbench-2026-11-24T032005Z.sqlite'),
  );
});

test('deletes backups that are too old, and nothing else', () => {
  const folder = aDataDir();
  const ageDays = {
    'opbench-2026-11-09T032005Z.sqlite': 15,
    'opbench-2026-11-11T032005Z.sqlite': 13,
    'opbench-2026-11-08T032005Z.sqlite.99.opbench.tmp': 15,
    'replica.sqlite': 15,
    'mine.sqlite': 99,
    'opbench.txt': 99,
  };
  for (const [name, days] of Object.entries(ageDays)) {
    writeFileSync(join(folder, name), '');
    const seconds = NOW.getTime() / 1000 - days * 86_400;
    utimesSync(join(folder, name), seconds, seconds);
  }
  mkdirSync(join(folder, 'opbench-folder.sqlite'));
  utimesSync(join(folder, 'opbench-folder.sqlite'), 0, 0);

  expect(deleteOldBackups(folder, 14, NOW).sort()).toEqual([
    'opbench-2026-11-08T032005Z.sqlite.99.opbench.tmp',
    'opbench-2026-11-09T032005Z.sqlite',
    'replica.sqlite',
  ]);
  expect(readdirSync(folder).sort()).toEqual([
    'mine.sqlite',
    'opbench-2026-11-11T032005Z.sqlite',
    'opbench-folder.sqlite',
    'opbench.txt',
  ]);
});
