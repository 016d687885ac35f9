import { LeaderboardQuery } from '#core/contract/leaderboard.ts';
import { CLASS_BEGINS, CLASS_TIERS, CLASS_WINDOW } from '#core/domain/metrics/class-tier.ts';
import type { BoardEntry, ClassTier } from '#core/schema/board.ts';
import type { AppContext } from '../context.ts';
import { currentPublication } from '../publication/read/current-publication.ts';
import { boardOf, headOf } from './board-head.ts';

/** How many operators of a class are shown. */
const NEAREST = 3;

/** A class with its operators, ranked by yield over 90 days with all tools. */
export interface ClassSheet {
  tier: Exclude<ClassTier, 'unclassed'>;
  /** Where the class begins, and the next one; null for the highest class. */
  begins: number;
  ends: number | null;
  total: number;
  /** The operator in the middle of the class: half have at least this conservative yield. */
  middle: BoardEntry | null;
  /** The operators who are closest to the next class, the closest first. */
  nearest: readonly BoardEntry[];
}

/** All classes, highest first, with who is in them. */
export function readClasses(ctx: AppContext) {
  const publication = currentPublication(ctx);
  const classes = CLASS_TIERS.map((tier, at): ClassSheet => {
    const query = LeaderboardQuery.parse({ window: CLASS_WINDOW, class: tier });
    const board = boardOf(ctx, publication, query);
    const total = board.total('yield');
    const [middle = null] =
      total === 0
        ? []
        : board.ranked('yield', { from: Math.floor((total - 1) / 2), limit: 1 }).entries;
    const nearest = total === 0 ? [] : board.ranked('yield', { from: 0, limit: NEAREST }).entries;
    const begins = CLASS_BEGINS[at] ?? 0;
    return { tier, begins, ends: CLASS_BEGINS[at + 1] ?? null, total, middle, nearest };
  });
  const query = LeaderboardQuery.parse({ window: CLASS_WINDOW });
  return { head: headOf(publication, query), classes: classes.toReversed() };
}
