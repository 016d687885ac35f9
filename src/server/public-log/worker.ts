/** Writes the public log's file in a thread, so that it does not delay requests. */
import { parentPort, workerData } from 'node:worker_threads';
import { openStore } from '#db/store.ts';
import { publicLogSource } from './lines.ts';
import { type PublicLogTarget, writePublicLog } from './write.ts';

export interface LogWorkerOptions {
  databasePath: string;
  migrations: string;
  baseUrl: string;
  target: PublicLogTarget;
}

if (parentPort) await write(workerData as LogWorkerOptions);

async function write({ databasePath, migrations, baseUrl, target }: LogWorkerOptions) {
  const now = () => new Date();
  const store = openStore({ path: databasePath, migrations, now });
  try {
    await writePublicLog(publicLogSource(store, { baseUrl, now: now() }), target);
  } finally {
    store.close();
  }
}
