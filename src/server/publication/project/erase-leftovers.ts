/** Lets nothing that was deleted stay in the database's files. */
import type { Marks } from '#db/engine/leftovers.ts';
import type { Store } from '#db/store.ts';
import { pause } from '../pause.ts';

/** Tries, and the pause after each: other connections read for a few milliseconds at most. */
const MAX_TRIES = 60;
const PAUSE_MS = 50;

/**
 * Empties the write-ahead log, which holds earlier states of what was deleted; false if another
 * connection kept it from that all the time.
 */
export function emptyWal(store: Store): boolean {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    if (store.erasure.checkpoint()) return true;
    pause(PAUSE_MS);
  }
  return false;
}

/**
 * Writes the file anew if it still holds any of the marks; false if another connection kept it from that.
 */
export function overwriteLeftovers(store: Store, marks: Marks): boolean {
  if (!store.leftovers.holds(marks)) return true;
  try {
    store.leftovers.rewrite();
  } catch {
    return false;
  }
  return emptyWal(store);
}
