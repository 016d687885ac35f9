/** Makes one backup in a thread, so that requests do not wait. */
import { parentPort, workerData } from 'node:worker_threads';
import { StoreError } from '#db/engine/store-error.ts';
import { BackupError } from '../process/backup-error.ts';
import { whyUnwritable } from '../process/storage-fault.ts';
import { type Backup, writeBackup } from './backup-file.ts';

export interface BackupRequest {
  database: string;
  path: string;
}

/** The backup, or why there is none. `isTold` says that the text is a complete message for the admin. */
export type BackupAnswer = { made: Backup } | { failed: string; isTold: boolean };

parentPort?.postMessage(answerTo(workerData as BackupRequest));

function answerTo({ database, path }: BackupRequest): BackupAnswer {
  try {
    return { made: writeBackup(database, path) };
  } catch (error) {
    const { message, stack = message } = error as Error;
    if (error instanceof BackupError || error instanceof StoreError) {
      return { failed: message, isTold: true };
    }
    const why = whyUnwritable(path, error);
    return { failed: why ?? stack, isTold: why !== null };
  }
}
