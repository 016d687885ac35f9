import type { Marks } from '#db/engine/leftovers.ts';
import type { Store } from '#db/store.ts';
import { emptyWal } from './writer.ts';

/** The pause between two parts, in milliseconds, so that the search does not take a whole processor. */
const PAUSE_MS = 5;

/**
 * Searches the database file for data of deleted accounts in unused places, and rewrites the file if it finds any. A
 * large file takes many seconds, so the search continues between publications. Lives in the projecting thread.
 */
export class LeftoverSearch {
  readonly #store: Store;
  #marks: Marks;
  /** Where the next part begins; null if there is nothing to search. */
  #at: number | null;
  #hasFailed = false;
  #later: NodeJS.Timeout | undefined;

  /** @param marks What an earlier thread did not finish to search for. */
  constructor(store: Store, marks: Marks) {
    this.#store = store;
    this.#marks = marks;
    this.#at = marks.length > 0 ? 0 : null;
  }

  /** What is still sought. */
  get marks(): Marks {
    return this.#marks;
  }

  /** How many texts are still sought. */
  get waiting(): number {
    return this.isSettled ? 0 : this.#marks.length;
  }

  get isSettled(): boolean {
    return this.#at === null;
  }

  /** Whether no leftovers were found that could not be overwritten. */
  get isSound(): boolean {
    return !this.#hasFailed;
  }

  /** Searches for more, from the beginning. The write-ahead log must be empty. */
  begin(marks: Marks): void {
    this.#marks = [...this.#marks, ...marks];
    this.#at = this.#marks.length > 0 ? 0 : null;
    this.#hasFailed = false;
  }

  /** Searches for some time. The rest waits for {@linkcode goOn}. */
  run(budgetMs: number): void {
    clearTimeout(this.#later);
    const endMs = performance.now() + budgetMs;
    while (this.#at !== null && performance.now() < endMs) this.#searchPart(this.#at);
  }

  /** Continues the search until the next request. */
  goOn(): void {
    if (this.#at === null) return;
    this.#later = setTimeout(() => {
      this.run(0.1);
      this.goOn();
    }, PAUSE_MS);
  }

  #searchPart(at: number): void {
    const { isFound, next } = this.#store.leftovers.search(this.#marks, at);
    this.#at = isFound ? null : next;
    if (isFound && !this.#overwrite()) this.#hasFailed = true;
    else if (this.#at === null) this.#marks = [];
  }

  /** Rewrites the file. Returns false if another connection prevented it. */
  #overwrite(): boolean {
    try {
      this.#store.leftovers.rewrite();
    } catch {
      return false;
    }
    return emptyWal(this.#store);
  }
}
