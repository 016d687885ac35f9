/** Backups in a folder, named by the time at which each was made. */
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DAY_MS } from '#core/domain/counting/day.ts';

/** Backups, their temporary files after an interruption, and what Litestream restores here. */
const OURS = /^(?:opbench-.*\.sqlite(?:\..*)?|replica\.sqlite.*)$/;

export function datedBackupPath(folder: string, now: Date): string {
  const time = now.toISOString().replaceAll(':', '').replace(/\..*/, 'Z');
  return join(folder, `opbench-${time}.sqlite`);
}

/** Deletes the backups in a folder that are older than a number of days, and returns their names. */
export function deleteOldBackups(folder: string, days: number, now: Date): string[] {
  const isOld = (path: string) => now.getTime() - statSync(path).mtimeMs > days * DAY_MS;
  const old = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && OURS.test(entry.name))
    .map(({ name }) => name)
    .filter((name) => isOld(join(folder, name)));
  old.forEach((name) => rmSync(join(folder, name)));
  return old;
}
