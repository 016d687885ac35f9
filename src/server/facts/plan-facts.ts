/** Writes what pages need beside the publication as objects, of which only those that changed are made. */
import type { Store } from '#db/store.ts';
import type { FactsIndex, FactsObject } from './facts-index.ts';

export interface FactsInput {
  store: Store;
  /** The index that readers use now; null for all facts. */
  before: FactsIndex | null;
  /**
   * Compares all objects with `before`, instead of those that changed. Use it if another database made `before`, for
   * example after a restore.
   */
  recheck?: boolean;
  /** Settings of the board that readers use. A JSON value without secrets. */
  settings: unknown;
  /** The board's own files that readers serve. Settings may name them by SHA-256. */
  files: readonly Uint8Array[];
}

export interface FactsPlan {
  index: FactsIndex;
  /** Keys that `before` names and `index` does not. Delete them once readers use `index`. */
  obsolete: string[];
}

/** Yields each object that `before` does not name, and undefined between other steps. Each takes a few milliseconds. */
export function* planFacts(_input: FactsInput): Generator<FactsObject | undefined, FactsPlan> {
  throw new Error('not written yet');
}

/**
 * Runs {@linkcode planFacts} and yields to the event loop after each step.
 *
 * @param put Stores an object. May return before it is stored, to store several at once; the caller then waits for
 *   all before it stores the index.
 */
export async function exportFacts(
  _input: FactsInput,
  _put: (object: FactsObject) => Promise<void>,
): Promise<FactsPlan> {
  throw new Error('not written yet');
}
