import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { datedBackupPath } from '#server/backups/dated-backups.ts';
import { DAY_MS } from '#tests/support/board/builders.ts';
import { aDataDir } from '#tests/support/board/context.ts';
import { aBoard, examine } from '#tests/support/board/doctor.ts';

test('doctor reports the age of scheduled backups', async () => {
  const { settings } = await aBoard();
  const folder = join(aDataDir(), 'scheduled');
  const scheduled = async () => {
    const { checks } = await examine({ ...settings, BACKUP_DIR: folder });
    return checks.filter(({ text }) => text.includes('BACKUP_DIR')).map(lineOf);
  };
  const lineOf = ({ severity, text }: { severity: string; text: string }) => `${severity} ${text}`;
  const backupOf = (days: number) => datedBackupPath(folder, new Date(Date.now() - days * DAY_MS));
  expect(await scheduled()).toEqual([expect.stringContaining('cannot be read: ENOENT')]);

  mkdirSync(folder);
  expect(await scheduled()).toEqual([`warning BACKUP_DIR ${folder} has no backups yet`]);
  writeFileSync(backupOf(3), '');
  expect(await scheduled()).toEqual([`problem the newest in BACKUP_DIR ${folder} is 3 days old`]);
  writeFileSync(backupOf(1), '');
  expect(await scheduled()).toEqual([`ok the newest in BACKUP_DIR ${folder} is 24 hours old`]);
});
