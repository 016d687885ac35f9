import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { endThread } from '#db/threads/thread-end.ts';
import { temporaryPathOf } from '../process/atomic-file.ts';
import type { ParquetWorkerOptions } from './worker.ts';
import type { WrittenParquet } from './write-parquet.ts';

/** Writes the file in a thread of its own. If it is aborted, it rejects and leaves no file. */
export type WriteInThread = (
  path: string,
  now: Date,
  signal: AbortSignal,
) => Promise<WrittenParquet>;

/** Starts a thread for each file, because there is one a day. */
export function parquetThread(
  workerUrl: URL,
  options: Omit<ParquetWorkerOptions, 'now' | 'target'>,
): WriteInThread {
  return async (path, now, signal) => {
    signal.throwIfAborted();
    const draft = temporaryPathOf(path);
    const target = { path, draft, over: true };
    const worker = new Worker(workerUrl, { workerData: { ...options, target, now } });
    worker.unref();
    try {
      const [written] = await once(worker, 'message', { signal });
      return written as WrittenParquet;
    } finally {
      // It must not end the server.
      worker.on('error', () => undefined);
      await endThread(worker);
      // A thread that was ended cannot do it itself.
      rmSync(draft, { force: true });
    }
  };
}
