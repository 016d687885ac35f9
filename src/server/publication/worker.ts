/** The thread that computes and stores publications, so that no request waits for it. */
import { parentPort, workerData } from 'node:worker_threads';
import { openStore } from '#db/store.ts';
import { RULESET } from '#core/domain/ruleset.ts';
import { buffersOf } from './columns.ts';
import { Projection } from './projection.ts';
import { publish } from './publish.ts';
import { restore } from './stored.ts';

/** What the thread is asked: the stored publications, or a new one for an instant. */
export type WorkerRequest = { kind: 'publish'; nowMs: number } | { kind: 'restore' };

export interface WorkerOptions {
  databasePath: string;
  migrations: string;
}

if (parentPort) serve(parentPort, workerData as WorkerOptions);

function serve(port: NonNullable<typeof parentPort>, options: WorkerOptions): void {
  const store = openStore({
    path: options.databasePath,
    migrations: options.migrations,
    now: () => new Date(),
  });
  const projection = new Projection(RULESET);
  port.on('message', (request: WorkerRequest) => {
    if (request.kind === 'restore') return port.postMessage(restore(store));
    const published = publish(store, projection, request.nowMs);
    port.postMessage([published], buffersOf(published));
  });
}
