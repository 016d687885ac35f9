/**
 * Recomputes ranks from conservative values.
 *
 * @module
 */
import { orderContenders } from '../board/board.ts';

/** Ranked rows in columns, because a check needs all rows of a board at once. */
export interface RankedRows {
  /** The conservative values; NaN if the rank is taken as stated. */
  lows: number[];
  ranks: number[];
}

/** The result. */
interface RankCheck {
  /** The positions of rows with a wrong rank. */
  wrong: { at: number; recomputed: number }[];
  /** The largest number of ranks by which a row is lower than the rows alone explain. */
  gaps: number;
}

/**
 * Compares stated ranks with the ranks of the rows among themselves.
 *
 * @param mayHaveGaps Whether rows may be gone whose places stay empty. Ranks may then be lower, but the order must be
 *   the same, equal values must share a rank, and the gap must never shrink further down.
 */
export function checkRanks(rows: RankedRows, mayHaveGaps: boolean): RankCheck {
  const lows = Float64Array.from(rows.lows);
  const totals = new Float64Array(lows.length);
  const { ranked, ranks, unranked } = orderContenders({ lows, totals });
  const rankOf = (at: number) => rows.ranks[at] as number;
  const taken = Float64Array.from(unranked, rankOf).sort();
  const wrong: RankCheck['wrong'] = [];
  let gaps = 0;
  let takenAbove = 0;
  let above: number | null = null;
  ranked.forEach((at, index) => {
    const stated = rankOf(at);
    while ((taken[takenAbove] ?? stated) < stated) takenAbove += 1;
    const rank = (ranks[index] as number) + takenAbove;
    const low = lows[at] as number;
    const isTied = above === low;
    const offset = stated - rank;
    const fits = isTied || !mayHaveGaps ? offset === gaps : offset >= gaps;
    if (fits) gaps = offset;
    else wrong.push({ at, recomputed: rank + gaps });
    above = low;
  });
  return { wrong, gaps };
}
