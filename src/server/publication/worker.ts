/** Computes and stores publications in a thread, so that requests do not wait. */
import { isDeepStrictEqual } from 'node:util';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { Ruleset } from '#core/domain/board/ruleset.ts';
import { utcDay } from '#core/domain/counting/day.ts';
import type { Marks } from '#db/engine/leftovers.ts';
import { openStore, type Store } from '#db/store.ts';
import { Checks, CheckTurns } from './checks/checks.ts';
import { Projection } from './projection.ts';
import type { Projected } from './project/read-changes.ts';
import { publish, shownState } from './publish.ts';
import { showsOnlySeen } from './read/shows-only-seen.ts';
import type { PublicationData } from './state/board-state.ts';
import {
  readPublications,
  type StoredTip,
  storePublication,
} from './stored/stored-publications.ts';
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

/** The thread's message: the result, why there is none, or that it has been idle for a while and may be ended. */
export type WorkerMessage = WorkerAnswer | WorkerFailure | { idle: Carried };

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

/** What a thread knows and the next one needs, if it is ended. */
export interface Carried {
  /** A digest of what the last publication shows; null before the first. */
  shown: string | null;
  /** The last publication, and everything that the projection knows. */
  last: { data: PublicationData; projected: Projected } | null;
  /** The last publication that is stored. */
  tip: StoredTip | null;
}

/** An error in parts, because messages between threads lose an error's code. */
export interface WorkerFailure {
  failed: { message: string; stack: string; code: string };
}

export interface WorkerOptions {
  databasePath: string;
  migrations: string;
  ruleset: Ruleset;
  /** How long the thread waits for a request before it says that it is idle, in milliseconds. */
  idleMs?: number;
}

/** How long a publication waits for the checks, in milliseconds; less if something must be hidden. */
const CHECKS_MS = 300;
const HASTY_CHECKS_MS = 100;

/** How long a thread must be idle before it may be ended. */
const IDLE_MS = 30_000;

/**
 * Attempts to empty the write-ahead log, and the pause after each. Other connections read for a few milliseconds at
 * most.
 */
const MAX_TRIES = 60;
const PAUSE_MS = 50;

type ThreadData = WorkerOptions & { carried: Carried };

if (parentPort) serve(parentPort, workerData as ThreadData);

function serve(port: MessagePort, options: ThreadData): void {
  const store = openStore({
    path: options.databasePath,
    migrations: options.migrations,
    now: () => new Date(),
  });
  const checks = new Checks(store);
  const turns = new CheckTurns(checks);
  const publishing = new Publishing({ store, checks, turns }, options);
  let timer: NodeJS.Timeout | undefined;
  const restUntilAsked = () => {
    timer = setTimeout(() => {
      if (turns.isSettled) port.postMessage({ idle: publishing.carried } satisfies WorkerMessage);
      else restUntilAsked();
    }, options.idleMs ?? IDLE_MS);
  };
  port.on('message', (request: WorkerRequest) => {
    clearTimeout(timer);
    port.postMessage(publishing.answer(request));
    publishing.store();
    turns.goOn();
    restUntilAsked();
  });
}

interface Tools {
  store: Store;
  checks: Checks;
  turns: CheckTurns;
}

/** Answers requests with what the thread knows from earlier ones. */
class Publishing {
  carried: Carried;
  readonly #tools: Tools;
  readonly #ruleset: Ruleset;
  #projection: Projection | null = null;
  /** Whether the last publication is not stored yet. */
  #isUnstored = false;

  constructor(tools: Tools, { ruleset, carried }: ThreadData) {
    this.#tools = tools;
    this.#ruleset = ruleset;
    this.carried = carried;
  }

  answer(request: WorkerRequest): WorkerAnswer | WorkerFailure {
    try {
      return this.#answer(request);
    } catch (error) {
      // Discards what was read or stored only in part.
      this.#projection = null;
      return failureOf(error);
    }
  }

  /** Stores the last publication. It may already be public, and would be computed again after a restart. */
  store(): void {
    const { last, tip } = this.carried;
    if (!last || !this.#isUnstored) return;
    this.#isUnstored = false;
    // If this fails, the next publication is stored as an image.
    this.carried = { ...this.carried, tip: null };
    const { store } = this.#tools;
    try {
      const stored = storePublication(store, last.data.head.id, last.projected, tip);
      this.carried = { ...this.carried, tip: stored };
    } catch {
      // A full disk, for example, which the next write reports.
    }
  }

  #answer({ nowMs, isClockSure, isForced, toForget }: WorkerRequest): WorkerAnswer {
    const { store, checks, turns } = this.#tools;
    store.confirmFile();
    const now = new Date(nowMs);
    if (isClockSure) store.expiry.forgetExpired(now);
    if (toForget) checks.forget();
    const failures = turns.run(now, toForget ? HASTY_CHECKS_MS : CHECKS_MS);
    const shown = shownState(store, utcDay(nowMs), isClockSure);
    if (shown === this.carried.shown && !isForced) {
      return { data: null, earlier: [], isClean: true, failures };
    }
    const isFirst = this.carried.shown === null;
    const earlier = isFirst && !toForget ? this.#readEarlier() : [];
    const { last } = this.carried;
    const projection = (this.#projection ??= new Projection(this.#ruleset, last?.projected));
    const data = publish(store, projection, nowMs, { isClockSure, last: last?.data ?? null });
    const { projected } = projection;
    if (!projected) throw new Error('Nothing was projected');
    this.#isUnstored = true;
    const showsTooMuch = earlier.some((one) => !showsOnlySeen(one.state, data.state));
    const marks = toForget ?? (showsTooMuch ? [] : null);
    const isClean = !marks || forget(store, data, marks);
    const tip = marks ? null : this.carried.tip;
    this.carried = { shown, last: { data, projected }, tip };
    return { data, earlier: marks ? [] : earlier, isClean, failures };
  }

  /** Reads the publications of an earlier process, oldest first, and continues from the last one. */
  #readEarlier(): PublicationData[] {
    const { store } = this.#tools;
    const read = readPublications(store);
    const last = read.at(-1);
    if (last && isDeepStrictEqual(last.projected.term.ruleset, this.#ruleset)) {
      this.carried = { ...this.carried, last };
    }
    return read.map(({ data }) => data);
  }
}

function failureOf(error: unknown): WorkerFailure {
  if (!(error instanceof Error)) return { failed: { message: String(error), stack: '', code: '' } };
  const { message, stack = message } = error;
  return { failed: { message, stack, code: 'code' in error ? String(error.code) : '' } };
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
