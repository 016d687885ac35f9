/** The backups that the server makes itself, in a folder next to the database, and when they are deleted. */
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { makeFolder } from '#db/engine/make-folder.ts';
import { StoreError } from '#db/engine/store-error.ts';
import { DAY_MS } from '#core/domain/counting/day.ts';
import { type Backup, writeBackup } from './backup-file.ts';
import { BackupError } from '../process/backup-error.ts';
import { type Config, databasePath } from '../config/config.ts';
import { isTemporaryFile } from '../process/atomic-file.ts';
import type { Watch } from '../process/admin-actions.ts';
import { isSameFile } from '../process/same-file.ts';
import type { Logger } from '../process/logger.ts';
import { ClockWatch } from '../publication/clock-watch.ts';
import { logFailure } from '../process/storage-fault.ts';

/** Days that the server keeps its own backups. Data that was deleted since then remains in them for that long. */
export const KEPT_DAYS = 30;

/** The name of such a backup, which contains the time at which it was made. */
const OWN_NAME =
  /^(?:before|replaced)-.*?(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)\d*Z\.sqlite(?:-wal|-shm|-journal)?$/;

type Board = Pick<Config, 'dataDir'>;

export function backupsFolder({ dataDir }: Board): string {
  return join(dataDir, 'backups');
}

/** The file that a restore works on before it replaces the database. */
export function restoredDraft({ dataDir }: Board): string {
  return join(dataDir, 'restoring.sqlite');
}

/** The folder of the payloads that a restore takes from a copy of the log. */
export function restoredPayloads({ dataDir }: Board): string {
  return join(dataDir, 'restoring-payloads');
}

/** Returns the path for a backup that is made now, and creates its folder. */
export function ownBackupPath(board: Board, kind: 'before' | 'replaced', of: string, now: Date) {
  const folder = backupsFolder(board);
  makeFolder(folder, 0o700);
  const instant = now.toISOString().replaceAll(/[-:.]/g, '');
  return join(folder, [kind, of, `${instant}.sqlite`].filter((part) => part !== '').join('-'));
}

/**
 * Backs up the database before it is migrated.
 *
 * @param first The file name of the first missing migration.
 * @throws {StoreError} `older`, with what to do, if the backup fails. Do not migrate then.
 */
export function backUpBeforeUpgrade(board: Board, first: string, now: Date): Backup {
  const database = databasePath(board);
  try {
    const path = ownBackupPath(board, 'before', first.replace(/\.sql$/, ''), now);
    return writeBackup(database, path, { over: true });
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!(error instanceof BackupError) && !/^E[A-Z]+$/.test(code)) throw error;
    throw new StoreError(
      'older',
      `The database was not upgraded, because it could not be backed up first. ${(error as Error).message}. Then start the board again`,
    );
  }
}

/**
 * Returns the paths that killed upgrades and restores left in a data folder: temporary files, and a second name of
 * the database. Only the holder of the folder's lock can know that they are unused.
 */
export function leftoversIn(dataDir: string): string[] {
  const database = databasePath({ dataDir });
  const folder = backupsFolder({ dataDir });
  const drafts = [...withCompanions(restoredDraft({ dataDir })), restoredPayloads({ dataDir })];
  const others = namesIn(folder).filter((name) => {
    // A restore that was killed before it replaced the database leaves a second name of it.
    return isTemporaryFile(name) || isSameFile(join(folder, name), database);
  });
  return [
    ...drafts.filter((path) => existsSync(path)),
    ...others.map((name) => join(folder, name)),
  ];
}

/** Deletes such leftovers from a data folder and returns their names. Requires the folder's lock. */
export function dropLeftovers(dataDir: string): string[] {
  return leftoversIn(dataDir).map((path) => {
    rmSync(path, { recursive: true, force: true });
    return basename(path);
  });
}

export function withCompanions(path: string): string[] {
  return ['', '-wal', '-shm', '-journal'].map((suffix) => path + suffix);
}

/**
 * Deletes the server's own backups after KEPT_DAYS, judging by their names and by the file system's clock.
 *
 * @param now From a trustworthy clock: these backups may be the only remaining copy of a board.
 * @returns The names of the deleted files.
 */
export function expireBackups(dataDir: string, now: Date): string[] {
  const folder = backupsFolder({ dataDir });
  const over = namesIn(folder).filter((name) => isOver(folder, name, now));
  for (const name of over) rmSync(join(folder, name), { force: true });
  return over;
}

function isOver(folder: string, name: string, now: Date): boolean {
  const [, year, month, day, hour, minute, second] = OWN_NAME.exec(name) ?? [];
  if (year === undefined) return false;
  const madeMs = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  const { mtimeMs = Infinity } = statSync(join(folder, name), { throwIfNoEntry: false }) ?? {};
  return now.getTime() - Math.max(madeMs, mtimeMs) >= KEPT_DAYS * DAY_MS;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

const HOUR_MS = 60 * 60 * 1000;

/**
 * Deletes leftovers from a data folder. Once the process has run for an hour, also deletes the server's own old
 * backups: by then, a machine that started with a wrong clock has the right time. Deletes nothing for an hour after
 * the clock was set. Requires the folder's lock.
 */
export function watchBackups(dataDir: string, logger: Logger): Watch {
  const clock = new ClockWatch();
  const isClockSure = () => clock.look(Date.now(), performance.now()).isSettled;
  const attempt = (event: string, work: () => string[]) => {
    try {
      const deleted = work();
      if (deleted.length > 0) logger.info(event, { backups: deleted.join(', ') });
    } catch (error) {
      logFailure(logger, 'backups_not_expired', error);
    }
  };
  isClockSure();
  attempt('leftovers_deleted', () => dropLeftovers(dataDir));
  const timer = setInterval(() => {
    if (isClockSure()) attempt('backups_expired', () => expireBackups(dataDir, new Date()));
  }, HOUR_MS).unref();
  return { stop: () => clearInterval(timer) };
}
