/** Computes and stores publications in a thread, so that requests do not wait. */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { Ruleset } from '#core/domain/board/ruleset.ts';
import type { Marks } from '#db/engine/leftovers.ts';
import { openStore } from '#db/store.ts';
import { Checks, CheckTurns } from './checks/checks.ts';
import { LeftoverSearch } from './leftover-search.ts';
import { type MoveNotice, MoveTurns } from './move-turns.ts';
import type { Projected } from './project/read-changes.ts';
import { sendShare, type ShareRequest } from './project/share.ts';
import { Publishing } from './publishing.ts';
import { type SpotCheckNotice, SpotCheckTurns } from './spot-check-turns.ts';
import type { PublicationData } from './state/board-state.ts';
import type { StoredTip } from './stored/stored-publications.ts';

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

/** Work that the thread does between publications: how many items of each kind are left. */
export interface Queues {
  /** Operators whose changes must be checked. */
  checks: number;
  /** Kinds of stored data that must be moved to the form of this version. */
  moves: number;
  /** Texts of deleted accounts that are sought in the file. */
  leftovers: number;
}

/**
 * The thread's message: the result, why there is none, or that it has been idle for a while and may be ended. Notices
 * and queues answer nothing.
 */
export type WorkerMessage =
  WorkerNotice | WorkerAnswer | WorkerFailure | { idle: Carried } | { queues: Queues };

export type WorkerNotice = MoveNotice | SpotCheckNotice;

export interface WorkerAnswer {
  /** Null if nothing has changed. */
  data: PublicationData | null;
  /** Publications that an earlier process stored, oldest first; empty except in the first answer. */
  earlier: PublicationData[];
  /** Whether nothing prevented that deleted data was overwritten. A large file may still be searched for it. */
  isClean: boolean;
  /** Errors in the checks of accounts, without personal data. */
  failures: string[];
  /** Texts of deleted accounts that are still sought in the file. */
  sought: Marks;
}

/** What a thread knows and the next one needs, if it is ended. */
export interface Carried {
  /** A digest of what the last publication shows; null before the first. */
  shown: string | null;
  /** The last publication, and everything that the projection knows; null if it is not to be trusted. */
  last: { data: PublicationData; projected: Projected } | null;
  /** The last publication that is stored. */
  tip: StoredTip | null;
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
  /** How many past days keep their values. */
  valuesDays: number;
  /** How long the thread waits for a request before it says that it is idle, in milliseconds. */
  idleMs?: number;
  /** The address of this file. Without it, no other threads help. */
  workerUrl?: string;
}

/** How long a thread must be idle before it may be ended. */
const IDLE_MS = 30_000;

type ThreadData = WorkerOptions & { carried: Carried };

const data = workerData as ThreadData | { share: ShareRequest };

if (parentPort) {
  if ('share' in data) sendShare(data.share);
  else serve(parentPort, data);
}

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
  const publishing = new Publishing({ store, checks, turns, search }, options);
  const moves = new MoveTurns(store.moves, (notice) => port.postMessage(notice));
  const spots = new SpotCheckTurns(store, (notice) => {
    if (notice.differing.length > 0) publishing.distrust();
    port.postMessage(notice satisfies WorkerNotice);
  });
  const reportQueues = () => {
    const queues = { checks: turns.waiting, moves: moves.waiting, leftovers: search.waiting };
    port.postMessage({ queues } satisfies WorkerMessage);
  };
  let timer: NodeJS.Timeout | undefined;
  const restUntilAsked = () => {
    timer = setTimeout(() => {
      const waiting = [turns, moves, search, spots].filter(({ isSettled }) => !isSettled);
      reportQueues();
      if (waiting.length === 0) {
        const idle = { ...publishing.carried, sought: search.marks };
        port.postMessage({ idle } satisfies WorkerMessage);
      } else restUntilAsked();
    }, options.idleMs ?? IDLE_MS);
  };
  port.on('message', (request: WorkerRequest) => {
    clearTimeout(timer);
    moves.rest();
    spots.rest();
    const answer = publishing.answer(request);
    port.postMessage(answer);
    publishing.store();
    const { last } = publishing.carried;
    if ('data' in answer && answer.data && last) spots.begin(last.projected);
    turns.goOn();
    search.goOn();
    moves.goOn();
    spots.goOn();
    reportQueues();
    restUntilAsked();
  });
}
