/** The backups that the program makes itself, in a folder beside the database, and their end. */
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
import type { Logger } from '../process/logger.ts';
import { ClockWatch } from '../publication/clock-watch.ts';
import { logFailure } from '../process/storage-fault.ts';

/** How long the program keeps what it copied itself, in days; what was deleted since stands in it so long. */
export const KEPT_DAYS = 30;

/** What makes such a file recognisable, and the instant in its name. */
const OWN_NAME =
  /^(?:before|replaced)-.*?(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)\d*Z\.sqlite(?:-wal|-shm|-journal)?$/;

type Board = Pick<Config, 'dataDir'>;

export function backupsFolder({ dataDir }: Board): string {
  return join(dataDir, 'backups');
}

/** What a restoring works on before it replaces the database. */
export function restoredDraft({ dataDir }: Board): string {
  return join(dataDir, 'restoring.sqlite');
}

/** The path of one that is made now; its folder is there afterwards. */
export function ownBackupPath(board: Board, kind: 'before' | 'replaced', of: string, now: Date) {
  const folder = backupsFolder(board);
  makeFolder(folder, 0o700);
  const instant = now.toISOString().replaceAll(/[-:.]/g, '');
  return join(folder, [kind, of, `${instant}.sqlite`].filter((part) => part !== '').join('-'));
}

/**
 * Copies the database before it is migrated.
 *
 * @param first The first migration that it lacks, a file name.
 * @throws {StoreError} `older`, with what to do, if that cannot be done: nothing may then be migrated.
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
      `The database must be upgraded, and was left as it is, because the backup that comes first could not be made. ${(error as Error).message}. Then start again`,
    );
  }
}

/**
 * What upgrades and restorings that were killed have left in a data folder, as paths: drafts, and another name
 * of the database. Only who has the folder's lock can tell that nobody works on them.
 */
export function leftoversIn(dataDir: string): string[] {
  const database = databasePath({ dataDir });
  const folder = backupsFolder({ dataDir });
  const drafts = withCompanions(restoredDraft({ dataDir }));
  const others = namesIn(folder).filter((name) => {
    return isTemporaryFile(name) || isSameFile(join(folder, name), database);
  });
  return [
    ...drafts.filter((path) => existsSync(path)),
    ...others.map((name) => join(folder, name)),
  ];
}

/** Deletes what was left in a data folder; returns the names. Only who has its lock may call it. */
export function dropLeftovers(dataDir: string): string[] {
  return leftoversIn(dataDir).map((path) => {
    rmSync(path, { force: true });
    return basename(path);
  });
}

export function withCompanions(path: string): string[] {
  return ['', '-wal', '-shm', '-journal'].map((suffix) => path + suffix);
}

/**
 * Deletes the program's own backups that are older than they are kept, by their names and by the clock of the disk.
 *
 * @param now By a clock that can be trusted: they may be all that is left of a board.
 * @returns The names of what was deleted.
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

/** A restoring that was killed before it replaced the database has left another name of it. */
function isSameFile(path: string, other: string): boolean {
  const [one, two] = [path, other].map((each) => statSync(each, { throwIfNoEntry: false }));
  return one !== undefined && two !== undefined && one.ino === two.ino && one.dev === two.dev;
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
 * Deletes what was left in a data folder, and once the process has run for an hour the backups that the program made
 * itself and that are old: a machine that starts with a wrong clock has been told the time by then. Nothing is
 * deleted for an hour after the clock was set. Only who has the folder's lock may call it.
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
