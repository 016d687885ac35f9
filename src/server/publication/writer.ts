import type { Store } from '#db/store.ts';

/** Rows in one transaction, and the pause after it: a submission that waits to be written holds up the server. */
const CHUNK = 100;
const PAUSE_MS = 5;

/** Lets other threads and processes write for a while. Only for the projecting thread: it stops its own. */
export function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/** Writes rows in chunks of which each is a short transaction, with pauses between them. */
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

  /** Writes all that was added, in its order. */
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
