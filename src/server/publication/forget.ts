import type { Marks } from '#db/engine/leftovers.ts';
import type { Store } from '#db/store.ts';
import type { LeftoverSearch } from './leftover-search.ts';
import { emptyWal } from './writer.ts';

/** How long a deletion waits for the search for leftovers, in milliseconds. */
const SEARCH_MS = 500;

/**
 * Erases the publications before one, and everything with the marks. Returns false if other connections prevented it.
 */
export function forget(
  { store, search }: { store: Store; search: LeftoverSearch },
  { id, marks }: { id: number; marks: Marks },
): boolean {
  store.publications.forgetBefore(id);
  if (!emptyWal(store)) return false;
  search.begin(marks);
  search.run(SEARCH_MS);
  return search.isSound;
}
