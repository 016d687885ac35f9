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
import { LeftoverSearch } from './leftover-search.ts';
import { emptyWal } from './writer.ts';

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

/** The thread's message: the result, or why there is none, or that it has been idle for a while and may be ended. */
export type WorkerMessage = WorkerAnswer | WorkerFailure | 'idle';

export interface WorkerAnswer {
  /** Null if nothing has changed. */
  data: PublicationData | null;
  carried: Carried;
  /** Publications that an earlier process stored, oldest first; empty except in the first answer. */
  earlier: PublicationData[];
  /** Whether nothing prevented that deleted data was overwritten. A large file may still be searched for it. */
  isClean: boolean;
  /** Errors in the checks of accounts, without personal data. */
  failures: string[];
}

/** What a thread knows and the next one needs, if it is ended. */
export interface Carried {
  /** A digest of what the last publication shows; null before the first. */
  shown: string | null;
  /** How long a new thread's first publication takes, in milliseconds. */
  firstMs: number;
  /** Texts of deleted accounts that are still sought in the file. */
  sought: Marks;
}

/** An error in parts, because messages between threads lose an error's code. */
export interface WorkerFailure {
  failed: { message: string; stack: string; code: string };
}

export interface WorkerOptions {
  databasePath: string;
  migrations: string;
  ruleset: Ruleset;
  /** The write lock of the server's store. */
  writeLock?: SharedArrayBuffer;
  /** How long the thread waits for a request before it says that it is idle, in milliseconds. */
  idleMs?: number;
}

/** How long a publication waits for the checks, in milliseconds; less if something must be hidden. */
const CHECKS_MS = 300;
const HASTY_CHECKS_MS = 100;

/** How long a thread must be idle before it may be ended, and the longest first publication of the next thread. */
const IDLE_MS = 30_000;
const MAX_FIRST_MS = 1_000;

/** How long a deletion waits for the search for leftovers, in milliseconds. */
const SEARCH_MS = 500;

type ThreadData = WorkerOptions & { carried: Carried };

if (parentPort) serve(parentPort, workerData as ThreadData);

function serve(port: MessagePort, options: ThreadData): void {
  const store = openStore({
    path: options.databasePath,
    migrations: options.migrations,
    now: () => new Date(),
    ...(options.writeLock && { writeLock: options.writeLock }),
  });
  const checks = new Checks(store);
  const turns = new CheckTurns(checks);
  const search = new LeftoverSearch(store, options.carried.sought);
  const answer = answersOf({ store, checks, turns, search }, options);
  let timer: NodeJS.Timeout | undefined;
  const restUntilAsked = (carried: Carried) => {
    if (carried.firstMs > MAX_FIRST_MS) return;
    timer = setTimeout(() => {
      if (turns.isSettled && search.isSettled) port.postMessage('idle' satisfies WorkerMessage);
      else restUntilAsked(carried);
    }, options.idleMs ?? IDLE_MS);
  };
  port.on('message', (request: WorkerRequest) => {
    clearTimeout(timer);
    const answered = answer(request);
    const data = 'data' in answered ? answered.data : null;
    port.postMessage(answered, data ? buffersOf(data) : []);
    turns.goOn();
    search.goOn();
    if ('carried' in answered) restUntilAsked(answered.carried);
  });
}

interface Parts {
  store: Store;
  checks: Checks;
  turns: CheckTurns;
  search: LeftoverSearch;
}

/** Returns a function that answers requests with what the thread knows from earlier ones. */
function answersOf(
  { store, checks, turns, search }: Parts,
  { ruleset, ...options }: ThreadData,
): (request: WorkerRequest) => WorkerAnswer | WorkerFailure {
  let { carried } = options;
  let projection: Projection | null = null;
  const answer = (request: WorkerRequest): WorkerAnswer => {
    const { nowMs, isClockSure, isForced, toForget } = request;
    store.confirmFile();
    const now = new Date(nowMs);
    if (isClockSure) store.expiry.forgetExpired(now);
    const isFirst = carried.shown === null;
    if (toForget) checks.forget();
    const failures = turns.run(now, toForget ? HASTY_CHECKS_MS : CHECKS_MS);
    const shown = shownState(store, utcDay(nowMs), isClockSure);
    if (shown === carried.shown && !isForced) {
      return { data: null, earlier: [], isClean: search.isSound, failures, carried };
    }
    const startedMs = performance.now();
    const known = projection;
    projection ??= new Projection(ruleset);
    const data = publish(store, projection, nowMs, isClockSure);
    const firstMs = known ? carried.firstMs : performance.now() - startedMs;
    const left = leaveEarlier({ store, search }, data, toForget, isFirst);
    carried = { shown, firstMs, sought: search.marks };
    return { data, ...left, failures, carried };
  };
  return (request) => {
    try {
      return answer(request);
    } catch (error) {
      // Discards what was read or stored only in part.
      projection = null;
      return failureOf(error);
    }
  };
}

function failureOf(error: unknown): WorkerFailure {
  if (!(error instanceof Error)) return { failed: { message: String(error), stack: '', code: '' } };
  const { message, stack = message } = error;
  return { failed: { message, stack, code: 'code' in error ? String(error.code) : '' } };
}

/** Deletes earlier publications if the new one hides something, or if the first one finds that they show too much. */
function leaveEarlier(
  { store, search }: Pick<Parts, 'search' | 'store'>,
  published: PublicationData,
  marks: Marks | null,
  isFirst: boolean,
): Pick<WorkerAnswer, 'earlier' | 'isClean'> {
  const earlier = isFirst && !marks ? storedBefore(store, published) : [];
  const toForget = marks ?? (earlier ? null : []);
  const isClean = toForget ? forget({ store, search }, published, toForget) : search.isSound;
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
function forget(
  { store, search }: Pick<Parts, 'search' | 'store'>,
  { head }: PublicationData,
  marks: Marks,
): boolean {
  store.publications.forgetBefore(head.id);
  if (!emptyWal(store)) return false;
  search.begin(marks);
  search.run(SEARCH_MS);
  return search.isSound;
}
