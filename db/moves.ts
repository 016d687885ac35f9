import type { Database } from 'better-sqlite3';
import type { Move } from './engine/moves.ts';
import { keptDaysMoveIn } from './kept-days-move.ts';

/** All moves of this version, in the order in which they run. */
export function movesIn(db: Database): readonly Move[] {
  return [keptDaysMoveIn(db)];
}
