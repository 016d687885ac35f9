/**
 * Ranks, recomputed from the values that rank.
 *
 * @module
 */
import { rankContenders } from '../board/board.ts';

/** A row that is ranked. */
export interface RankedRow {
  line: number;
  name: string;
  /** The lower end of the interval. */
  low: number;
  rank: number;
}

/** What came of it. */
interface RankCheck {
  wrong: { row: RankedRow; recomputed: number }[];
  /** The most places that a row stands lower than the rows alone would put it. */
  gaps: number;
}

/**
 * Compares stated ranks with those that the rows have among themselves.
 *
 * @param mayHaveGaps Whether rows may be gone whose places stay empty: then ranks may be lower, but the order is the
 *   same, equal values share a rank, and nobody loses a gap again further down.
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
