/** The thread that computes and stores publications, so that no request waits for it. */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { Marks } from '#db/engine/leftovers.ts';
import { type Store, openStore } from '#db/store.ts';
import { utcDay } from '#core/domain/counting/day.ts';
import type { Ruleset } from '#core/domain/board/ruleset.ts';
import { CheckTurns } from './checks/check-turns.ts';
import { Checks } from './checks/checks.ts';
import { type PublicationData, buffersOf } from './read/columns.ts';
import { answerChanges, readInThread } from './project/helping-thread.ts';
import { emptyWal, overwriteLeftovers } from './project/erase-leftovers.ts';
import type { Changes } from './project/project-changed.ts';
import { Projection } from './projection.ts';
import { publish } from './publish.ts';
import { seenNames, showsOnlySeen } from './read/seen-names.ts';
import { restore } from './read/stored.ts';

/**
 * What the thread is asked: the stored publications, or a new one for an instant. If something is to be
 * forgotten, the new one replaces all earlier ones.
 */
export type WorkerRequest =
  | { kind: 'publish'; nowMs: number; isClockSure: boolean; toForget: Marks | null }
  | { kind: 'restore' };

/** What the thread says: what it was asked for, or why there is none. */
export type WorkerMessage = WorkerAnswer | WorkerFailure;

export interface WorkerAnswer {
  publications: PublicationData[];
  /** Whether the database's files hold nothing that was deleted; always true where nobody asked for it. */
  isClean: boolean;
  /** What went wrong with checks of accounts, without personal data. */
  failures: string[];
}

/** An error in parts, since a thread's message keeps no code of one. */
export interface WorkerFailure {
  failed: { message: string; stack: string; code: string };
}

export interface WorkerOptions {
  databasePath: string;
  migrations: string;
  /** The rules in force. */
  ruleset: Ruleset;
}

/** From so many operators on, a second thread is worth its start. */
const MIN_FOR_THREADS = 2_000;

/** How long a publication waits for the checks, in milliseconds; less where something is to be hidden. */
const CHECKS_MS = 300;
const HASTY_CHECKS_MS = 100;

/** What the thread is started with; `changes` if it is to read these for another one, and nothing else. */
type ThreadOptions = WorkerOptions & { changes?: Changes };

if (parentPort) serve(parentPort, workerData as ThreadOptions);

/**
 * The stored publications without those that show an operator as not everybody may see them now: a
 * process that ended before it could publish anew has left them.
 */
function restoreSeen(store: Store): WorkerAnswer {
  const names = seenNames(store);
  const stored = restore(store);
  const publications = stored.filter(({ shared }) => showsOnlySeen(shared.operators, names));
  const isClean = publications.length === stored.length && emptyWal(store);
  return { publications, isClean, failures: [] };
}

function serve(port: MessagePort, { changes, ...options }: ThreadOptions): void {
  const store = openStore({
    path: options.databasePath,
    migrations: options.migrations,
    now: () => new Date(),
  });
  if (changes) return answerChanges(port, store, options.ruleset, changes);
  let projection = new Projection(options.ruleset);
  const checks = new Checks(store);
  const turns = new CheckTurns(checks);
  const readElsewhere = (share: Changes) =>
    readInThread(new URL(import.meta.url), { ...options, changes: share });
  const answer = async (request: WorkerRequest) => {
    store.confirmFile();
    if (request.kind === 'restore') return port.postMessage(restoreSeen(store));
    const now = new Date(request.nowMs);
    if (request.isClockSure) store.expiry.forgetExpired(now);
    if (request.toForget) checks.forget();
    const failures = turns.run(now, request.toForget ? HASTY_CHECKS_MS : CHECKS_MS);
    if (store.operators.loggedTotal() >= MIN_FOR_THREADS) {
      await projection.fill(store, utcDay(request.nowMs), readElsewhere);
    }
    const published = publish(store, projection, request.nowMs, request.isClockSure);
    const isClean = !request.toForget || forget(store, published, request.toForget);
    const answered: WorkerAnswer = { publications: [published], isClean, failures };
    port.postMessage(answered, buffersOf(published));
    turns.goOn();
  };
  port.on('message', (request: WorkerRequest) => {
    answer(request).catch((error: unknown) => {
      // What it has half read or half stored is read again.
      projection = new Projection(options.ruleset);
      port.postMessage(failureOf(error));
    });
  });
}

function failureOf(error: unknown): WorkerFailure {
  if (!(error instanceof Error)) return { failed: { message: String(error), stack: '', code: '' } };
  const { message, stack = message } = error;
  return { failed: { message, stack, code: 'code' in error ? String(error.code) : '' } };
}

/** Leaves nothing of earlier publications, nor of what bears the marks; false if others kept it from that. */
function forget(store: Store, { head }: PublicationData, marks: Marks): boolean {
  store.publications.forgetBefore(head.id);
  return emptyWal(store) && overwriteLeftovers(store, marks);
}
