import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { endThread } from '#db/threads/thread-end.ts';
import { temporaryPathOf } from '../process/atomic-file.ts';
import { BackupError } from '../process/backup-error.ts';
import type { Backup } from './backup-file.ts';
import type { BackupAnswer, BackupRequest } from './backup-worker.ts';

/** Makes a backup in a thread of its own. If it is aborted, it leaves no file. */
export type MakeBackup = (request: BackupRequest, signal: AbortSignal) => Promise<Backup>;

/**
 * Starts a thread for each backup, because there is one a day.
 *
 * @returns A function that throws `BackupError` with a message for the admin, or any other error.
 */
export function backupThread(workerUrl: URL): MakeBackup {
  return async (request, signal) => {
    signal.throwIfAborted();
    const worker = new Worker(workerUrl, { workerData: request });
    worker.unref();
    // The answer reports it. One that comes later must not end the server.
    worker.on('error', () => undefined);
    const end = () => void endThread(worker);
    signal.addEventListener('abort', end);
    try {
      const answer = await answerOf(worker);
      if ('made' in answer) return answer.made;
      throw answer.isTold ? new BackupError('disk', answer.failed) : new Error(answer.failed);
    } finally {
      signal.removeEventListener('abort', end);
      await endThread(worker);
      // A thread that was ended cannot do it itself.
      rmSync(temporaryPathOf(request.path), { force: true });
    }
  };
}

async function answerOf(worker: Worker): Promise<BackupAnswer> {
  const settled = new AbortController();
  const { signal } = settled;
  const ended = once(worker, 'exit', { signal }).then(() => {
    throw new Error('The thread that makes backups ended early');
  });
  try {
    const [answer] = await Promise.race([once(worker, 'message', { signal }), ended]);
    return answer as BackupAnswer;
  } finally {
    settled.abort();
    ended.catch(() => undefined);
  }
}
