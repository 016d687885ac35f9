/** The thread that computes and stores publications, so that no request waits for it. */
import { deserialize, serialize } from 'node:v8';
import { parentPort, workerData } from 'node:worker_threads';
import { gunzipSync, gzipSync } from 'node:zlib';
import { type Store, openStore } from '#db/store.ts';
import { RULESET } from '#core/domain/ruleset.ts';
import { utcDay } from '#core/domain/day.ts';
import { WINDOWS } from '#core/domain/window.ts';
import {
  type PublicationData,
  type PublicationHead,
  type WindowColumns,
  buffersOf,
} from './columns.ts';
import { Projection } from './projection.ts';

/** What the thread is asked: the stored publications, or a new one for an instant. */
export type WorkerRequest = { kind: 'publish'; nowMs: number } | { kind: 'restore' };

export interface WorkerOptions {
  databasePath: string;
  migrations: string;
}

/** Fast rather than small: the parts are read back at most once, after a restart. */
const GZIP_LEVEL = 1;

if (parentPort) serve(parentPort, workerData as WorkerOptions);

function serve(port: NonNullable<typeof parentPort>, options: WorkerOptions): void {
  const store = openStore({
    path: options.databasePath,
    migrations: options.migrations,
    now: () => new Date(),
  });
  const projection = new Projection();
  port.on('message', (request: WorkerRequest) => {
    if (request.kind === 'restore') return port.postMessage(restore(store));
    const published = publish(store, projection, request.nowMs);
    port.postMessage([published], published.windows.flatMap(buffersOf));
  });
}

function publish(store: Store, projection: Projection, nowMs: number): PublicationData {
  const log_index = projection.refresh(store);
  const as_of = utcDay(nowMs);
  const windows = projection.projectAll(as_of, RULESET);
  const generated_at = new Date(nowMs).toISOString();
  const head = { log_index, as_of, ruleset: RULESET.id, generated_at };
  const id = store.publications.begin(head);
  for (const columns of windows) {
    const body = gzipSync(serialize(columns), { level: GZIP_LEVEL });
    store.publications.addWindow(id, columns.window, body);
  }
  store.publications.complete(id);
  return { head: { id, ...head }, windows };
}

/** The stored publications, newest first; one that cannot be read any more is left out. */
function restore(store: Store): PublicationData[] {
  return store.publications.kept().flatMap((head) => {
    try {
      return [{ head, windows: WINDOWS.map((window) => readWindow(store, head, window)) }];
    } catch {
      return [];
    }
  });
}

function readWindow(store: Store, head: PublicationHead, window: WindowColumns['window']) {
  return deserialize(gunzipSync(store.publications.window(head.id, window))) as WindowColumns;
}
