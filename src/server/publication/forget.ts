import type { Marks } from '#db/engine/leftovers.ts';
import type { Store } from '#db/store.ts';
import type { PublicationData } from './state/board-state.ts';
import { pause } from './writer.ts';

/**
 * Attempts to empty the write-ahead log, and the pause after each. Other connections read for a few milliseconds at
 * most.
 */
const MAX_TRIES = 60;
const PAUSE_MS = 50;

/** Erases earlier publications and everything with the marks. Returns false if other connections prevented it. */
export function forget(store: Store, { head }: PublicationData, marks: Marks): boolean {
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
