/** Pins boards and writes the public log's file in a thread, so that it does not delay requests, and sends the calibration of its days. */
import { parentPort, workerData } from 'node:worker_threads';
import type { Ruleset } from '#core/domain/board/ruleset.ts';
import type { Calibration } from '#core/schema/calibration.ts';
import { openStore } from '#db/store.ts';
import { calibrationOf } from './calibrate.ts';
import { pinBoards } from './pin-boards.ts';
import { type PublicLogPlan, publicLogSource } from './lines.ts';
import { type PublicLogTarget, writePublicLog } from './write.ts';

export interface LogWorkerOptions {
  databasePath: string;
  migrations: string;
  baseUrl: string;
  ruleset: Ruleset;
  /** The write lock of the server's store. */
  writeLock?: SharedArrayBuffer;
  target: PublicLogTarget;
}

if (parentPort) parentPort.postMessage(await write(workerData as LogWorkerOptions));

async function write({ databasePath, migrations, writeLock, ...options }: LogWorkerOptions) {
  const { baseUrl, ruleset, target } = options;
  const now = () => new Date();
  const lock = writeLock && { writeLock };
  const store = openStore({ path: databasePath, migrations, now, ...lock });
  try {
    pinBoards(store, now());
    let calibration: Calibration | null = null;
    const onPlan = (plan: PublicLogPlan) => {
      calibration = calibrationOf(store, plan, ruleset);
    };
    const source = publicLogSource(store, { baseUrl, now: now() });
    await writePublicLog({ ...source, onPlan }, target);
    return calibration;
  } finally {
    store.close();
  }
}
