/** Pins each day's board in the log once the day is over, so that it cannot be exchanged later. */
import { createHash } from 'node:crypto';
import type { Store } from '#db/store.ts';
import { lineText } from '#core/domain/log/public-log-line.ts';
import { readPayload } from '#core/domain/log/log-payload.ts';
import type { BoardPayload } from '#core/schema/log-payload.ts';
import { sha256 } from '../process/crypto.ts';
import { dailyBoard, linesOfBoard } from './boards.ts';

/** How often a board is read again because an operator's visibility changed meanwhile. */
const MAX_TRIES = 5;

/**
 * Enters the digests of stored days that are not pinned yet. A board that was upgraded begins with its newest day,
 * because nobody knows whether older days are still what was shown.
 */
export function pinBoards(store: Store, now: Date): void {
  for (const day of unpinnedDays(store)) {
    for (let tries = 0; tries < MAX_TRIES && !pinBoard(store, day, now); tries += 1);
  }
}

function unpinnedDays(store: Store): string[] {
  const days = store.publicLog.days(Number.MAX_SAFE_INTEGER).sort();
  const last = lastPin(store);
  if (!last) return days.slice(-1);
  return days.filter((day) => {
    // A day that was stored too early, because the clock was wrong, is stored and pinned again.
    const isReplaced = day === last.day && indexOf(store, day) !== last.log_index;
    return day > last.day || isReplaced;
  });
}

function lastPin({ log }: Store): BoardPayload | null {
  const payload = log.lastOfKind('board')?.payload;
  return payload ? readPayload('board', new TextDecoder().decode(payload)) : null;
}

function indexOf({ keptDays }: Store, day: string): number | undefined {
  return keptDays.publication(day)?.log_index;
}

/** Returns false if what the board shows changed while it was read, and nothing was entered. */
function pinBoard(store: Store, day: string, now: Date): boolean {
  const [head, payload] = store.snapshot(() => [
    store.log.head()?.index ?? 0,
    digestOf(store, day),
  ]);
  if (!payload) return true;
  return store.transaction(() => {
    if (store.publicLog.isSeenOtherwiseSince(head)) return false;
    store.log.append({ kind: 'board', operator_id: null, payload, now });
    return true;
  });
}

function digestOf(store: Store, day: string): BoardPayload | null {
  const board = dailyBoard(store, day);
  if (!board) return null;
  const hash = createHash('sha256');
  for (const line of linesOfBoard(board, store.publicLog.operators())) {
    if (line.line === 'standing') hash.update(`${lineText(line, sha256)}\n`);
  }
  return { day, log_index: board.log_index, sha256: hash.digest('hex') };
}
