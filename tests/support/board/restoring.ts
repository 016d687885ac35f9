/** A board, a backup of it, and later changes. */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { writeBackup } from '#server/backups/backup-file.ts';
import { databasePath } from '#server/config/config.ts';
import { BASE_URL, bucketsOfDays } from './builders.ts';
import { type TestContext, aDataDir, anEnrolledDevice, submit, testContext } from './context.ts';
import { runAdmin } from './admin.ts';

/** A board of `ada`, `bob` and `carol`, each with counts, and a backup of it. */
export async function aBackedUpBoard() {
  const ctx = testContext();
  for (const [at, name] of ['ada', 'bob', 'carol'].entries()) {
    const device = await anEnrolledDevice(ctx, name);
    await submit(ctx, device, bucketsOfDays(4, '2026-03-01', { output: 10_000 + at }));
  }
  ctx.store.operators.add({ public_id: 'unlogged', codename: 'dan', created_at: '2026-03-01' });
  const file = join(aDataDir(), 'backup.sqlite');
  const made = writeBackup(databasePath(ctx.config), file);
  return { ctx, file, made };
}

/** A folder with the board as a killed server leaves it. */
export function aKilledCopy({ config }: TestContext): string {
  const dataDir = aDataDir();
  for (const suffix of ['', '-wal']) {
    cpSync(databasePath(config) + suffix, databasePath({ dataDir }) + suffix);
  }
  return dataDir;
}

/** `opbench-board restore` into a folder. */
export function restoreInto(dataDir: string, ...words: string[]) {
  return runAdmin(['restore', ...words], { DATA_DIR: dataDir, BASE_URL });
}

/** The ID of an existing operator. */
export function idOf({ store }: TestContext, codename: string): number {
  const operator = store.operators.byCodename(codename);
  if (!operator) throw new Error(`There is no operator ${codename}`);
  return operator.id;
}
