/** Writes the Parquet file in a thread, so that requests do not wait. */
import { parentPort, workerData } from 'node:worker_threads';
import { openStore } from '#db/store.ts';
import { type ParquetTarget, type WrittenParquet, writeParquet } from './write-parquet.ts';

export interface ParquetWorkerOptions {
  databasePath: string;
  migrations: string;
  baseUrl: string;
  /** The ID of the ranking rules. */
  ruleset: string;
  /** The write lock of the server's store. */
  writeLock: SharedArrayBuffer;
  target: ParquetTarget;
  now: Date;
}

if (parentPort) parentPort.postMessage(await write(workerData as ParquetWorkerOptions));

async function write(options: ParquetWorkerOptions): Promise<WrittenParquet> {
  const { databasePath: path, migrations, writeLock, target, ...source } = options;
  const store = openStore({ path, migrations, writeLock, now: () => new Date() });
  try {
    return await writeParquet({ store, ...source }, target);
  } finally {
    store.close();
  }
}
