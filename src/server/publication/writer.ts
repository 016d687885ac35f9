import type { Store } from '#db/store.ts';
import { pause } from './pause.ts';

/** Rows in one transaction, and the pause after it: a submission that waits to be written holds up the server. */
const CHUNK = 100;
const PAUSE_MS = 2;

/** Writes in short transactions, with pauses between those that follow each other. */
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
    for (let first = 0; first < writes.length; first += CHUNK) {
      if (first > 0) pause(PAUSE_MS);
      this.#store.transaction(() => {
        for (const write of writes.slice(first, first + CHUNK)) write();
      });
    }
  }
}
