/** Computes and stores publications in a thread, so that requests do not wait. */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { Ruleset } from '#core/domain/board/ruleset.ts';
import { utcDay } from '#core/domain/counting/day.ts';
import type { Marks } from '#db/engine/leftovers.ts';
import { openStore, type Store } from '#db/store.ts';
import { Checks, CheckTurns } from './checks/checks.ts';
import { Projection } from './projection.ts';
import { publish, shownState } from './publish.ts';
import { seenNames, showsOnlySeen } from './read/published-operators.ts';
import { readOrNull, readPublication } from './read/stored.ts';
import { buffersOf, type PublicationData } from './read/columns.ts';
import { pause } from './writer.ts';

/**
 * Requests a publication for an instant. Without `isForced`, one is made only if it would differ from the last. If
 * something must be forgotten, it replaces all earlier ones.
 */
export interface WorkerRequest {
  nowMs: number;
  isClockSure: boolean;
  isForced: boolean;
  toForget: Marks | null;
}

/** The thread's message: the result, or why there is none. */
export type WorkerMessage = WorkerAnswer | WorkerFailure;

export interface WorkerAnswer {
  /** Null if nothing has changed. */
  data: PublicationData | null;
  /** Publications that an earlier process stored, oldest first; empty except in the first answer. */
  earlier: PublicationData[];
  /** Whether the database's files are free of deleted data; always true if this was not requested. */
  isClean: boolean;
  /** Errors in the checks of accounts, without personal data. */
  failures: string[];
}

/** An error in parts, because messages between threads lose an error's code. */
export interface WorkerFailure {
  failed: { message: string; stack: string; code: string };
}

export interface WorkerOptions {
  databasePath: string;
  migrations: string;
  ruleset: Ruleset;
}

/** How long a publication waits for the checks, in milliseconds; less if something must be hidden. */
const CHECKS_MS = 300;
const HASTY_CHECKS_MS = 100;

/**
 * Attempts to empty the write-ahead log, and the pause after each. Other connections read for a few milliseconds at
 * most.
 */
const MAX_TRIES = 60;
const PAUSE_MS = 50;

if (parentPort) serve(parentPort, workerData as WorkerOptions);

function serve(port: MessagePort, options: WorkerOptions): void {
  const store = openStore({
    path: options.databasePath,
    migrations: options.migrations,
    now: () => new Date(),
  });
  let projection = new Projection(options.ruleset);
  const checks = new Checks(store);
  const turns = new CheckTurns(checks);
  let shown: string | null = null;
  const answer = (request: WorkerRequest) => {
    store.confirmFile();
    const now = new Date(request.nowMs);
    if (request.isClockSure) store.expiry.forgetExpired(now);
    const isFirst = shown === null;
    if (request.toForget) checks.forget();
    const failures = turns.run(now, request.toForget ? HASTY_CHECKS_MS : CHECKS_MS);
    const as_of = utcDay(request.nowMs);
    const state = shownState(store, as_of, request.isClockSure);
    if (state === shown && !request.isForced) {
      const unchanged: WorkerAnswer = { data: null, earlier: [], isClean: true, failures };
      port.postMessage(unchanged);
      return turns.goOn();
    }
    const published = publish(store, projection, request.nowMs, request.isClockSure);
    shown = state;
    const left = leaveEarlier(store, published, request.toForget, isFirst);
    const answered: WorkerAnswer = { data: published, ...left, failures };
    port.postMessage(answered, buffersOf(published));
    turns.goOn();
  };
  port.on('message', (request: WorkerRequest) => {
    try {
      answer(request);
    } catch (error) {
      // Discards what was read or stored only in part.
      projection = new Projection(options.ruleset);
      port.postMessage(failureOf(error));
    }
  });
}

function failureOf(error: unknown): WorkerFailure {
  if (!(error instanceof Error)) return { failed: { message: String(error), stack: '', code: '' } };
  const { message, stack = message } = error;
  return { failed: { message, stack, code: 'code' in error ? String(error.code) : '' } };
}

/** Deletes earlier publications if the new one hides something, or if the first one finds that they show too much. */
function leaveEarlier(
  store: Store,
  published: PublicationData,
  marks: Marks | null,
  isFirst: boolean,
): Pick<WorkerAnswer, 'earlier' | 'isClean'> {
  const earlier = isFirst && !marks ? storedBefore(store, published) : [];
  const toForget = marks ?? (earlier ? null : []);
  const isClean = !toForget || forget(store, published, toForget);
  return { earlier: earlier ?? [], isClean };
}

/**
 * Reads the publications of an earlier process, oldest first. Returns null if one cannot be read, or shows too much
 * because the process ended before it could publish that an operator is hidden.
 */
function storedBefore(store: Store, { head }: PublicationData): PublicationData[] | null {
  const names = seenNames(store);
  const earlier: PublicationData[] = [];
  for (const kept of store.publications.kept()) {
    if (kept.id >= head.id) continue;
    const data = readOrNull(() => readPublication(store, kept));
    if (!data || !showsOnlySeen(data.shared.operators, names)) return null;
    earlier.unshift(data);
  }
  return earlier;
}

/** Erases earlier publications and everything with the marks. Returns false if other connections prevented it. */
function forget(store: Store, { head }: PublicationData, marks: Marks): boolean {
  store.publications.forgetBefore(head.id);
  return emptyWal(store) && overwriteLeftovers(store, marks);
}

/**
 * Empties the write-ahead log, which contains deleted data. Returns false if another connection prevented it each
 * time.
 */
function emptyWal(store: Store): boolean {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    if (store.erasure.checkpoint()) return true;
    pause(PAUSE_MS);
  }
  return false;
}

/** Rewrites the file if it still contains a mark. Returns false if another connection prevented it. */
function overwriteLeftovers(store: Store, marks: Marks): boolean {
  if (!store.leftovers.holds(marks)) return true;
  try {
    store.leftovers.rewrite();
  } catch {
    return false;
  }
  return emptyWal(store);
}
