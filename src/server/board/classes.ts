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
  /** The median yield of its operators, without those who opted out of it; null if none are left. */
  median: number | null;
  /** The operators who are closest to the next class, the closest first. */
  nearest: readonly BoardEntry[];
}

/** All classes, highest first, with who is in them. */
export function readClasses(ctx: AppContext) {
  const publication = currentPublication(ctx);
  const query = LeaderboardQuery.parse({ window: CLASS_WINDOW });
  const medians = boardOf(ctx, publication, query).medians('yield');
  const classes = CLASS_TIERS.map((tier, at): ClassSheet => {
    const board = boardOf(ctx, publication, { ...query, class: tier });
    const total = board.total('yield');
    const nearest = total === 0 ? [] : board.ranked('yield', { from: 0, limit: NEAREST }).entries;
    const begins = CLASS_BEGINS[at] ?? 0;
    const median = medians.classes.find(({ class_tier }) => class_tier === tier)?.median ?? null;
    return { tier, begins, ends: CLASS_BEGINS[at + 1] ?? null, total, median, nearest };
  });
  return { head: headOf(publication, query), classes: classes.toReversed() };
}
