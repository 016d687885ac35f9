/**
 * Lets the threads of a process take turns at writing. SQLite makes a waiting thread poll, so a thread that writes
 * often can lock out another until it gives up. With this lock, the waiting server gets the next turn. SQLite's own
 * lock remains, for other processes.
 */
import { threadId } from 'node:worker_threads';
import type { Database } from 'better-sqlite3';

/** The cells of the shared memory: which thread has the lock (0 for none), and whether the first thread waits. */
const HOLDER = 0;
const WAITING = 1;

/** After this, a thread relies on SQLite's lock alone, because the holder may have been ended. */
const PATIENCE_MS = 2_000;

const OWN_ID = threadId + 1;

export class WriteLock {
  readonly memory: SharedArrayBuffer;
  readonly #cells: Int32Array;
  readonly #isFirst: boolean;

  /** @param memory Shared by the first thread, which goes before this one. Absent in the first thread. */
  constructor(memory?: SharedArrayBuffer) {
    this.memory = memory ?? new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT);
    this.#cells = new Int32Array(this.memory);
    this.#isFirst = memory === undefined;
  }

  /** Takes the lock. Blocks the thread until the holder's transaction is over. */
  enter(): void {
    const endMs = performance.now() + PATIENCE_MS;
    while (!this.tryEnter()) {
      const leftMs = endMs - performance.now();
      if (leftMs <= 0) return this.take();
      this.#waitForChange(leftMs);
    }
  }

  /** Returns false if another thread has the lock. If this is the first thread, the lock is kept for it. */
  tryEnter(): boolean {
    if (this.#isFirst) Atomics.store(this.#cells, WAITING, 1);
    else if (Atomics.load(this.#cells, WAITING) === 1) return false;
    if (Atomics.compareExchange(this.#cells, HOLDER, 0, OWN_ID) !== 0) return false;
    this.giveUp();
    return true;
  }

  /** Takes the lock even from another thread. Only SQLite's own lock then keeps both apart. */
  take(): void {
    Atomics.store(this.#cells, HOLDER, OWN_ID);
    this.giveUp();
  }

  /** Does not wait any more. */
  giveUp(): void {
    if (!this.#isFirst) return;
    Atomics.store(this.#cells, WAITING, 0);
    Atomics.notify(this.#cells, WAITING);
  }

  leave(): void {
    Atomics.compareExchange(this.#cells, HOLDER, OWN_ID, 0);
    Atomics.notify(this.#cells, HOLDER);
  }

  #waitForChange(ms: number): void {
    const holder = Atomics.load(this.#cells, HOLDER);
    if (holder !== 0) Atomics.wait(this.#cells, HOLDER, holder, ms);
    else if (!this.#isFirst) Atomics.wait(this.#cells, WAITING, 1, ms);
  }
}

const locks = new WeakMap<Database, WriteLock>();

/** Sets the lock that a connection's writes take. */
export function lockWrites(db: Database, lock: WriteLock): void {
  locks.set(db, lock);
}

/** Does work in a write transaction, or within the transaction that is open. */
export function writeTransaction<Result>(db: Database, work: () => Result): Result {
  return withWriteLock(db, () => db.transaction(work).immediate());
}

/** Does work that writes. Within a transaction, which already has the lock, does it at once. */
export function withWriteLock<Result>(db: Database, work: () => Result): Result {
  const lock = locks.get(db);
  if (!lock || db.inTransaction) return work();
  lock.enter();
  try {
    return work();
  } finally {
    lock.leave();
  }
}
