/** The steps of restoring a backup, each on a draft beside the database, until the draft takes its place. */
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
import { type LogHead, inspectDatabase } from '#db/engine/inspection.ts';
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
  withCompanions,
} from './backups.ts';
import { type Config, databasePath, migrationsPath, publicLogPath } from '../config/config.ts';
import { syncFile, copyPrivately, syncFolder } from '../process/atomic-file.ts';
import { type LaterFacts, factsOfPublicLog, factsOfReplaced } from './later-facts.ts';
import { type Replayed, replayFacts } from './replay.ts';
import { dirname } from 'node:path';
import { type Backup, refuseFullDisk, verifyBackup } from './backup-file.ts';
import { storageFaultOf } from '#server/process/storage-fault.ts';

interface Restoring {
  config: Pick<Config, 'dataDir' | 'root'>;
  file: string;
  log: string | null;
  over: boolean;
  now: Date;
}

export interface Restored {
  /** The last entry of the restored log, as the backup has it; null before the first. */
  head: LogHead | null;
  operators: number;
  /** Where the database that was there stays; null if there was none. */
  replaced: string | null;
  /** Whether the one that was there could be read whole; null if there was none. */
  isReplacedRead: boolean | null;
  replayed: Replayed;
  facts: readonly LaterFacts[];
}

/**
 * Restores a backup as the board of a data folder. The backup itself is only read.
 *
 * @throws {StoreError} `in_use` while a server runs, or if the file is no board's or a newer version's.
 * @throws {BackupError} if there is a board already, no room, or the file is not whole.
 */
export async function restoreBoard(restoring: Restoring): Promise<Restored> {
  const { config, over } = restoring;
  const { dataDir } = config;
  const draft = restoredDraft(config);
  const lock = lockData(dataDir);
  if (!lock) throw new StoreError('in_use', `A board runs in ${dataDir}: stop it, then restore`);
  try {
    dropLeftovers(dataDir);
    const database = databasePath(config);
    if (existsSync(database) && !over) {
      const message = `There is a board in ${dataDir}. To replace it, add --force: it stays in ${backupsFolder(config)} for ${KEPT_DAYS} days`;
      throw new BackupError('taken', message);
    }
    return await restoreLocked(restoring, database, draft);
  } catch (error) {
    throw ofFile(error, draft, restoring.file);
  } finally {
    for (const path of withCompanions(draft)) rmSync(path, { force: true });
    lock.release();
  }
}

async function restoreLocked(restoring: Restoring, database: string, draft: string) {
  const { config, file, now } = restoring;
  const found = openBackup(file, draft);
  const isThere = existsSync(database);
  const { facts, isReplacedRead } = await factsFor(restoring, draft, isThere ? database : null);
  const replayed = bringUpToDate(restoring, draft, facts);
  foldDatabase(draft);
  chmodSync(draft, 0o600);
  syncFile(draft);
  const kept = ownBackupPath(config, 'replaced', '', now);
  Array.from(replaceDatabase({ draft, database, kept, isSound: isReplacedRead === true }));
  // It is made of the log; the server writes it anew.
  rmSync(publicLogPath(config), { force: true });
  const replaced = isThere ? kept : null;
  return { ...found, replaced, isReplacedRead, replayed, facts };
}

/** What is wrong with the copy is wrong with the file, of which the admin knows. */
function ofFile(error: unknown, draft: string, file: string): unknown {
  if (!(error instanceof StoreError)) return error;
  return new StoreError(error.refusal, error.message.replaceAll(draft, file));
}

/** What is known of the time since the backup. */
async function factsFor({ log }: Restoring, draft: string, database: string | null) {
  const backup = inspectDatabase(draft);
  try {
    const replaced = database === null ? null : factsOfReplaced(database, backup);
    const copy = log === null ? null : await factsOfPublicLog(log, backup);
    const facts = [replaced, copy].filter((each) => each !== null);
    return { facts, isReplacedRead: database === null ? null : replaced?.isWhole === true };
  } finally {
    backup.close();
  }
}

/** Migrates the draft if an earlier version made it, and does again what is known to have been done since. */
function bringUpToDate(
  { config, file, now }: Restoring,
  draft: string,
  facts: readonly LaterFacts[],
): Replayed {
  const migrations = migrationsPath(config);
  const clock = () => now;
  const store = openStore({
    path: draft,
    migrations,
    now: clock,
    // The backup itself stays as it is.
    beforeUpgrade: () => undefined,
  });
  try {
    const replayed = replayFacts({ store, now: clock }, facts);
    // They could have been ended since, and nothing tells of all.
    store.expiry.endAccess();
    audit(store, { action: 'restore', subject: file, operator_id: null, reason: null, now });
    const { erased, hidden, revoked, decided } = replayed;
    if (erased + hidden + revoked + decided > 0) {
      store.publications.forgetBefore(Number.MAX_SAFE_INTEGER);
    }
    if (erased + hidden > 0) store.leftovers.rewrite();
    return replayed;
  } finally {
    store.close();
  }
}

/**
 * Copies a backup, which is only read, and verifies the copy.
 *
 * @throws {BackupError} if there is no room, or the file is not whole.
 * @throws {StoreError} if it cannot be read as a board's.
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
    throw new BackupError('unsound', `${file} is not whole: ${error.message}. Nothing was changed`);
  }
}

/** What SQLite would take back when it opens the file stands beside it: without that, half a change is in it. */
function refuseHalfChange(file: string): void {
  const journal = statSync(`${file}-journal`, { throwIfNoEntry: false });
  if (!journal || journal.size === 0) return;
  throw new BackupError(
    'unsound',
    `${file}-journal is there, so a change of ${file} was cut off, or goes on. Open ${file} once with the program that wrote it, end that, and restore again. Nothing was changed`,
  );
}

/** A file with a write-ahead log may be in use: only SQLite reads both as they are at one moment. */
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
      `${file} cannot be read with ${file}-wal: ${message}. If you may not write in their folder, copy both to one where you may, and restore from there`,
    );
  }
}

interface Replacement {
  /** The new database: one file, durable, that nobody has open. */
  draft: string;
  database: string;
  kept: string;
  /** Whether the old one can be read; what SQLite does not understand, it would tidy away. */
  isSound: boolean;
}

/** What SQLite keeps beside a database that was not closed. */
const COMPANIONS = ['-wal', '-journal'];

/**
 * Yields after each step that another process could see.
 *
 * @throws {StoreError} `in_use` if another process has the old database open; nothing is changed then.
 */
export function* replaceDatabase({ draft, database, kept, isSound }: Replacement) {
  if (existsSync(database)) {
    if (isSound) foldDatabase(database);
    yield 'folded';
    keep(database, kept);
    yield 'kept';
  }
  // Only what cannot be read has these, and is kept with those that hold something.
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

/** Gives a file a second name, or where the file system has none, makes a copy. */
function keep(path: string, kept: string): void {
  try {
    linkSync(path, kept);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw error;
    copyFileSync(path, kept);
    syncFile(kept);
  }
}
