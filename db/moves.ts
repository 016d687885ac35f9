import type { Database } from 'better-sqlite3';
import type { Move } from './engine/moves.ts';
import { countsMoveIn } from './unmoved-counts.ts';

/** All moves of this version, in the order in which they run. */
export function movesIn(db: Database): readonly Move[] {
  // First, because these rows refer to the log, and removing what a row refers to would search them all.
  return [countsMoveIn(db)];
}
