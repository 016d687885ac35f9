/** The thread that computes and stores publications, so that no request waits for it. */
import { parentPort, workerData } from 'node:worker_threads';
import type { Marks } from '#db/leftovers.ts';
import { type Store, openStore } from '#db/store.ts';
import { RULESET } from '#core/domain/ruleset.ts';
import { type PublicationData, buffersOf } from './columns.ts';
import { emptyWal, overwriteLeftovers } from './overwrite.ts';
import { Projection } from './projection.ts';
import { publish } from './publish.ts';
import { seenNames, showsOnlySeen } from './seen-names.ts';
import { restore } from './stored.ts';

/**
 * What the thread is asked: the stored publications, or a new one for an instant. If something is to be
 * forgotten, the new one replaces all earlier ones.
 */
export type WorkerRequest =
  { kind: 'publish'; nowMs: number; toForget: Marks | null } | { kind: 'restore' };

export interface WorkerAnswer {
  publications: PublicationData[];
  /** Whether the database's files hold nothing that was deleted; always true where nobody asked for it. */
  isClean: boolean;
}

export interface WorkerOptions {
  databasePath: string;
  migrations: string;
}

if (parentPort) serve(parentPort, workerData as WorkerOptions);

/**
 * The stored publications without those that show an operator as not everybody may see them now: a
 * process that ended before it could publish anew has left them.
 */
function restoreSeen(store: Store): WorkerAnswer {
  const names = seenNames(store);
  const stored = restore(store);
  const publications = stored.filter(({ shared }) => showsOnlySeen(shared.operators, names));
  return { publications, isClean: publications.length === stored.length && emptyWal(store) };
}

function serve(port: NonNullable<typeof parentPort>, options: WorkerOptions): void {
  const store = openStore({
    path: options.databasePath,
    migrations: options.migrations,
    now: () => new Date(),
  });
  const projection = new Projection(RULESET);
  port.on('message', (request: WorkerRequest) => {
    if (request.kind === 'restore') return port.postMessage(restoreSeen(store));
    const published = publish(store, projection, request.nowMs);
    const isClean = !request.toForget || forget(store, published, request.toForget);
    const answer: WorkerAnswer = { publications: [published], isClean };
    port.postMessage(answer, buffersOf(published));
    store.expiry.forgetExpired(new Date(request.nowMs));
  });
}

/** Leaves nothing of earlier publications, nor of what bears the marks; false if others kept it from that. */
function forget(store: Store, { head }: PublicationData, marks: Marks): boolean {
  store.publications.forgetBefore(head.id);
  return emptyWal(store) && overwriteLeftovers(store, marks);
}
