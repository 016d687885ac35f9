import type { Store } from '#db/store.ts';

/** Rows in one transaction, and the pause after it. A submission that waits for a write blocks the server. */
const CHUNK = 200;
const PAUSE_MS = 5;

/**
 * Lets other threads and processes write for a while. Blocks the current thread, so use it only in the projecting
 * thread.
 */
export function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/** Attempts to empty the write-ahead log, and the pause after each. Other connections read for milliseconds at most. */
const MAX_TRIES = 120;
const RETRY_MS = 50;

/**
 * Empties the write-ahead log, which contains deleted data. Returns false if another connection prevented it each
 * time.
 */
export function emptyWal(store: Store): boolean {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    if (store.erasure.checkpoint()) return true;
    pause(RETRY_MS);
  }
  return false;
}

/** Writes rows in chunks, each in a short transaction, with pauses between them. */
export function writeInChunks<Row>(rows: readonly Row[], write: (chunk: readonly Row[]) => void) {
  for (let first = 0; first < rows.length; first += CHUNK) {
    if (first > 0) pause(PAUSE_MS);
    write(rows.slice(first, first + CHUNK));
  }
}

export class Writer {
  readonly #store: Store;
  #writes: (() => void)[] = [];

  constructor(store: Store) {
    this.#store = store;
  }

  add(write: () => void): void {
    this.#writes.push(write);
  }

  /** Writes all added rows in order. */
  flush(): void {
    const writes = this.#writes;
    this.#writes = [];
    writeInChunks(writes, (chunk) => {
      this.#store.transaction(() => {
        for (const write of chunk) write();
      });
    });
  }
}
