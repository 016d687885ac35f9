/** The steps of restoring a backup, each on a draft beside the database, until the draft takes its place. */
import { chmodSync, existsSync, rmSync } from 'node:fs';
import { foldDatabase } from '#db/engine/copy.ts';
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
import { syncFile } from '../process/atomic-file.ts';
import { type LaterFacts, factsOfPublicLog, factsOfReplaced } from './later-facts.ts';
import { type Replayed, replayFacts } from './replay.ts';
import { replaceDatabase } from './replace-database.ts';
import { openBackup } from './open-backup.ts';

export interface Restoring {
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

async function restoreLocked(
  restoring: Restoring,
  database: string,
  draft: string,
): Promise<Restored> {
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
