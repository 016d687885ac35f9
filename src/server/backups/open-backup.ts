/** How a backup gets into a data folder, as a copy of one moment that nobody else may read. */
import { closeSync, existsSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { copyDatabase } from '#db/engine/copy.ts';
import { StoreError } from '#db/engine/store-error.ts';
import { type Backup, refuseFullDisk, verifyBackup } from './backup-file.ts';
import { BackupError } from '../process/backup-error.ts';
import { copyPrivately } from '../process/atomic-file.ts';
import { storageFaultOf } from '../process/storage-fault.ts';

/**
 * Copies a backup, which is only read, and verifies the copy.
 *
 * @throws {BackupError} if there is no room, or the file is not whole.
 * @throws {StoreError} if it cannot be read as a board's.
 */
export function openBackup(file: string, draft: string): Pick<Backup, 'head' | 'operators'> {
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
