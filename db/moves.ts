import type { Database } from 'better-sqlite3';
import type { Move } from './engine/moves.ts';
import { keptDaysMoveIn } from './kept-days-move.ts';
import { logMove } from './log-move.ts';
import { tilesMoveIn } from './tiles.ts';
import { countsMoveIn } from './unmoved-counts.ts';

/** All moves of this version, in the order in which they run. */
export function movesIn(db: Database): readonly Move[] {
  return [logMove(db), countsMoveIn(db), keptDaysMoveIn(db), tilesMoveIn(db)];
}
