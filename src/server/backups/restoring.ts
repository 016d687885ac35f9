/**
 * Restores a backup: each step works on a temporary file next to the database, which replaces the database at the
 * end.
 */
import {
  chmodSync,
  existsSync,
  rmSync,
  closeSync,
  openSync,
  statSync,
  copyFileSync,
  linkSync,
  renameSync,
} from 'node:fs';
import { foldDatabase, copyDatabase } from '#db/engine/copy.ts';
import { lockData } from '#db/engine/data-lock.ts';
import type { LogHead } from '#db/engine/inspection.ts';
import { openStore } from '#db/store.ts';
import { StoreError } from '#db/engine/store-error.ts';
import { audit } from '../process/admin-actions.ts';
import { BackupError } from '../process/backup-error.ts';
import {
  KEPT_DAYS,
  backupsFolder,
  dropLeftovers,
  ownBackupPath,
  restoredDraft,
  restoredPayloads,
  withCompanions,
} from './backups.ts';
import {
  type Config,
  databasePath,
  migrationsPath,
  publicBoardsPath,
  publicLogPath,
} from '../config/config.ts';
import { syncFile, copyPrivately, syncFolder } from '../process/atomic-file.ts';
import { type Continued, type GivenLog, type Permissions, continueLog } from './continue-log.ts';
import { type Evidence, evidenceFor, noteGiven } from './evidence.ts';
import type { LaterFacts } from './later-facts.ts';
import { type Replayed, replayFacts } from './replay.ts';
import type { LogSource } from './log-source.ts';
import { dirname } from 'node:path';
import { type Backup, refuseFullDisk, verifyBackup } from './backup-file.ts';
import { storageFaultOf } from '#server/process/storage-fault.ts';

interface Restoring {
  config: Pick<Config, 'dataDir' | 'root'>;
  file: string;
  /** A copy of the log: a file of the public log, a folder, a URL, or another place. */
  log: LogSource | string | null;
  over: boolean;
  allowed: Permissions;
  now: Date;
  /** Called before anything is replaced. If it returns false, the log is read again. */
  isFinal?: (given: GivenLog | null) => Promise<boolean>;
}

export interface Restored {
  /** The last entry of the restored log, as in the backup; null if the log is empty. */
  head: LogHead | null;
  operators: number;
  /** Where the previous database is kept; null if there was none. */
  replaced: string | null;
  /** Whether the previous database could be read completely; null if there was none. */
  isReplacedRead: boolean | null;
  replayed: Replayed;
  continued: Continued;
  facts: readonly LaterFacts[];
  /** How many entries the published log had according to the copy that the admin named; 0 if unknown. */
  published: number;
}

/**
 * Restores a backup as the board of a data folder. Only reads the backup.
 *
 * @throws {StoreError} `in_use` while a server runs, or if the file is not a board's or belongs to a newer version.
 * @throws {BackupError} if a board exists already, the disk is full, or the file is incomplete.
 */
export async function restoreBoard(restoring: Restoring): Promise<Restored> {
  const { config, over } = restoring;
  const { dataDir } = config;
  const draft = restoredDraft(config);
  const lock = lockData(dataDir);
  if (!lock)
    throw new StoreError('in_use', `A board is running in ${dataDir}. Stop it, then restore`);
  try {
    dropLeftovers(dataDir);
    const database = databasePath(config);
    if (existsSync(database) && !over) {
      const message = `${dataDir} already contains a board. To replace it, add --force. It is then kept in ${backupsFolder(config)} for ${KEPT_DAYS} days`;
      throw new BackupError('taken', message);
    }
    return await restoreLocked(restoring, database, draft);
  } catch (error) {
    throw ofFile(error, draft, restoring.file);
  } finally {
    for (const path of temporaryPaths(config)) rmSync(path, { recursive: true, force: true });
    lock.release();
  }
}

async function restoreLocked(restoring: Restoring, database: string, draft: string) {
  const { config, now } = restoring;
  const isThere = existsSync(database);
  const { evidence, ...made } = await makeDraft(restoring, isThere ? database : null, draft);
  const { facts, isReplacedRead, known } = evidence;
  foldDatabase(draft);
  chmodSync(draft, 0o600);
  syncFile(draft);
  const kept = ownBackupPath(config, 'replaced', '', now);
  noteGiven(config, known);
  Array.from(replaceDatabase({ draft, database, kept, isSound: isReplacedRead === true }));
  // They are derived from the log, so the server writes them again.
  for (const path of [publicLogPath(config), publicBoardsPath(config)])
    rmSync(path, { force: true });
  const replaced = isThere ? kept : null;
  const published = known.given?.checkpoint?.size ?? 0;
  return { ...made, replaced, isReplacedRead, facts, published };
}

/** Makes the database in a temporary file, and makes it again if the published log has grown meanwhile. */
async function makeDraft(restoring: Restoring, database: string | null, draft: string) {
  for (;;) {
    const found = openBackup(restoring.file, draft);
    const evidence = await evidenceFor(restoring, draft, database);
    const length = found.head?.log_index ?? 0;
    const done = bringUpToDate(restoring, draft, { ...evidence, length });
    const isFinal = (await restoring.isFinal?.(evidence.known.given)) ?? true;
    if (isFinal) return { ...found, ...done, evidence };
    for (const path of temporaryPaths(restoring.config)) rmSync(path, { recursive: true });
  }
}

function temporaryPaths(config: Restoring['config']): string[] {
  const paths = [...withCompanions(restoredDraft(config)), restoredPayloads(config)];
  return paths.filter((path) => existsSync(path));
}

/** Reports a fault in the copy as one in the backup, the file that the admin named. */
function ofFile(error: unknown, draft: string, file: string): unknown {
  if (!(error instanceof StoreError)) return error;
  return new StoreError(error.refusal, error.message.replaceAll(draft, file));
}

/** Migrates the temporary file if it has an older schema, and completes its log. Reapplies what happened after the backup. */
function bringUpToDate(
  { config, file, now, allowed }: Restoring,
  draft: string,
  { facts, known, length }: Evidence & { length: number },
): Pick<Restored, 'continued' | 'replayed'> {
  const migrations = migrationsPath(config);
  const clock = () => now;
  const store = openStore({
    path: draft,
    migrations,
    now: clock,
    // The original backup remains unchanged.
    beforeUpgrade: () => undefined,
  });
  try {
    const continued = continueLog(store, known, { ...allowed, now });
    const replayed = replayFacts({ store, now: clock }, facts, length);
    // Some may have been revoked since, and not all revocations are recorded.
    store.expiry.endAccess();
    audit(store, { action: 'restore', subject: file, operator_id: null, reason: null, now });
    const { erased, hidden, revoked, decided } = replayed;
    if (erased + hidden + revoked + decided > 0) {
      store.publications.forgetBefore(Number.MAX_SAFE_INTEGER);
    }
    if (erased + hidden > 0) store.leftovers.rewrite();
    return { continued, replayed };
  } finally {
    store.close();
  }
}

/**
 * Copies a backup, which is only read, and verifies the copy.
 *
 * @throws {BackupError} if the disk is full, or the file is incomplete.
 * @throws {StoreError} if it cannot be read as a board's database.
 */
function openBackup(file: string, draft: string): Pick<Backup, 'head' | 'operators'> {
  refuseHalfChange(file);
  refuseFullDisk(dirname(draft), statSync(file).size);
  if (existsSync(`${file}-wal`)) copyWithLog(file, draft);
  else copyPrivately(file, draft);
  try {
    return verifyBackup(draft);
  } catch (error) {
    if (!(error instanceof BackupError)) throw error;
    throw new BackupError(
      'unsound',
      `${file} is incomplete or damaged: ${error.message}. Nothing was changed`,
    );
  }
}

/** A rollback journal means that the file contains half of a change, which SQLite would undo on opening. */
function refuseHalfChange(file: string): void {
  const journal = statSync(`${file}-journal`, { throwIfNoEntry: false });
  if (!journal || journal.size === 0) return;
  throw new BackupError(
    'unsound',
    `${file}-journal exists, so a change to ${file} was interrupted or is in progress. Open ${file} with the program that wrote it, close that program, and restore again. Nothing was changed`,
  );
}

/** A file with a write-ahead log may be in use. Only SQLite reads both at the same moment. */
function copyWithLog(file: string, draft: string): void {
  closeSync(openSync(draft, 'wx', 0o600));
  try {
    copyDatabase(file, draft);
  } catch (error) {
    const fault = storageFaultOf(error);
    if (fault === null || fault === 'full') throw error;
    const { message } = error as Error;
    throw new StoreError(
      'damaged',
      `Cannot read ${file} with ${file}-wal: ${message}. If you have no write access to their folder, copy both files to another folder and restore from there`,
    );
  }
}

interface Replacement {
  /** The new database: one durable file that no process has open. */
  draft: string;
  database: string;
  kept: string;
  /**
   * Whether the old database can be read. If not, it is not opened, because SQLite would delete what it cannot
   * interpret.
   */
  isSound: boolean;
}

/** Files that SQLite leaves next to a database that was not closed. */
const COMPANIONS = ['-wal', '-journal'];

/**
 * Replaces the database. Yields after each step that another process could observe.
 *
 * @throws {StoreError} `in_use` if another process has the old database open. Nothing is changed then.
 */
export function* replaceDatabase({ draft, database, kept, isSound }: Replacement) {
  if (existsSync(database)) {
    if (isSound) foldDatabase(database);
    yield 'folded';
    keep(database, kept);
    yield 'kept';
  }
  // Only an unreadable database still has these. They are kept with it if they are not empty.
  const companions = COMPANIONS.filter((suffix) => existsSync(database + suffix));
  const full = companions.filter((suffix) => statSync(database + suffix).size > 0);
  for (const suffix of full) keep(database + suffix, kept + suffix);
  syncFolder(dirname(kept));
  for (const suffix of [...companions, '-shm']) rmSync(database + suffix, { force: true });
  yield 'alone';
  renameSync(draft, database);
  yield 'replaced';
  syncFolder(dirname(database));
}

/** Gives a file a second name, or copies it where the file system has no links. */
function keep(path: string, kept: string): void {
  try {
    linkSync(path, kept);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw error;
    copyFileSync(path, kept);
    syncFile(kept);
  }
}
