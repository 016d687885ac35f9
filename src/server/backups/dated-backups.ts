/** Backups in a folder, named by the time at which each was made. */
import { readdirSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DAY_MS } from '#core/domain/counting/day.ts';
import { isRunning } from '../process/atomic-file.ts';
import { KEPT_DAYS } from './backups.ts';

/** Backups, their temporary files after an interruption, and what Litestream restores here. */
const OURS = /^(?:opbench-.*\.sqlite(?:\..*)?|replica\.sqlite.*)$/;
/** The name of a complete backup. */
const COMPLETE = /^opbench-(\d{4}-\d\d-\d\dT\d\d)(\d\d)(\d\d)Z\.sqlite$/;
/** The name of one that is being written, or was interrupted, with the ID of its process. */
const INCOMPLETE = /^opbench-[\dT-]+Z\.sqlite\.(\d+)\.opbench\.tmp(?:-journal)?$/;

export interface DatedBackup {
  path: string;
  madeAt: Date;
}

export function datedBackupPath(folder: string, now: Date): string {
  const time = now.toISOString().replaceAll(':', '').replace(/\..*/, 'Z');
  return join(folder, `opbench-${time}.sqlite`);
}

/**
 * The complete backups in a folder, the newest first. Those with a time in the future were made while the clock was
 * wrong, and come last.
 */
export function datedBackups(folder: string, now: Date): DatedBackup[] {
  const found = readdirSync(folder).flatMap((name) => {
    const [, hour, minute, second] = COMPLETE.exec(name) ?? [];
    if (hour === undefined) return [];
    return [{ path: join(folder, name), madeAt: new Date(`${hour}:${minute}:${second}Z`) }];
  });
  const isLater = ({ madeAt }: DatedBackup) => madeAt > now;
  const order = (one: DatedBackup, other: DatedBackup) => {
    return (
      Number(isLater(one)) - Number(isLater(other)) || other.madeAt.getTime() - one.madeAt.getTime()
    );
  };
  return found.sort(order);
}

/** The time of the newest backup in a folder; null if there is none. */
export function newestBackupAt(folder: string, now: Date): Date | null {
  const [newest] = datedBackups(folder, now);
  return newest && newest.madeAt <= now ? newest.madeAt : null;
}

/**
 * Deletes all but some backups, and those that are older than KEPT_DAYS. Never deletes the one that was just made.
 *
 * @returns The names of the deleted files.
 */
export function pruneBackups(
  made: string,
  { folder, keep, now, isClockSure }: PruneOptions,
): string[] {
  const earlier = datedBackups(folder, now).filter(({ path }) => path !== made);
  const over = earlier.filter(({ madeAt }, at) => {
    const isOld = now.getTime() - madeAt.getTime() > KEPT_DAYS * DAY_MS;
    return at >= keep - 1 || (isOld && isClockSure);
  });
  return over.map(({ path }) => {
    rmSync(path, { force: true });
    return basename(path);
  });
}

interface PruneOptions {
  folder: string;
  /** How many remain, including the one that was just made. */
  keep: number;
  now: Date;
  /** Whether the clock can be trusted to say how old a backup is. */
  isClockSure: boolean;
}

/** Deletes incomplete backups that a killed server left, last written before an instant. Returns their names. */
export function dropIncomplete(folder: string, beforeMs: number): string[] {
  const left = readdirSync(folder).filter((name) => {
    const [, pid] = INCOMPLETE.exec(name) ?? [];
    if (pid === undefined || (Number(pid) !== process.pid && isRunning(Number(pid)))) return false;
    const found = statSync(join(folder, name), { throwIfNoEntry: false });
    return found !== undefined && found.mtimeMs < beforeMs;
  });
  left.forEach((name) => rmSync(join(folder, name), { force: true }));
  return left;
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
