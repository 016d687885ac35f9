import type { Store } from '#db/store.ts';

/** Rows in one transaction, and the pause after it. A submission that waits for a write blocks the server. */
const CHUNK = 100;
const PAUSE_MS = 5;

/**
 * Lets other threads and processes write for a while. Blocks the current thread, so use it only in the projecting
 * thread.
 */
export function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
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
