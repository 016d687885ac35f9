/**
 * Recomputes ranks from conservative values.
 *
 * @module
 */
import { rankContenders } from '../board/board.ts';

/** A ranked row. */
export interface RankedRow {
  line: number;
  name: string;
  /** The lower bound of the interval. */
  low: number;
  rank: number;
}

/** The result. */
interface RankCheck {
  wrong: { row: RankedRow; recomputed: number }[];
  /** The largest number of ranks by which a row is lower than the rows alone explain. */
  gaps: number;
}

/**
 * Compares stated ranks with the ranks of the rows among themselves.
 *
 * @param mayHaveGaps Whether rows may be gone whose places stay empty. Ranks may then be lower, but the order must be
 *   the same, equal values must share a rank, and the gap must never shrink further down.
 */
export function checkRanks(rows: readonly RankedRow[], mayHaveGaps: boolean): RankCheck {
  const lows = Float64Array.from(rows, ({ low }) => low);
  const { ranked, ranks } = rankContenders({
    lows,
    highs: lows,
    totals: new Float64Array(rows.length),
  });
  const wrong: RankCheck['wrong'] = [];
  let gaps = 0;
  let above: RankedRow | null = null;
  ranked.forEach((position, index) => {
    const row = rows[position] as RankedRow;
    const rank = ranks[index] as number;
    const isTied = above !== null && above.low === row.low;
    const offset = row.rank - rank;
    const fits = isTied || !mayHaveGaps ? offset === gaps : offset >= gaps;
    if (fits) gaps = offset;
    else wrong.push({ row, recomputed: rank + gaps });
    above = row;
  });
  return { wrong, gaps };
}
