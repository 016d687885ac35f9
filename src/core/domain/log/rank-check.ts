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
  /** The lower bound of the interval; null if the rank is taken as stated. */
  low: number | null;
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
  const known = rows.filter(({ low }) => low !== null);
  const taken = rows.flatMap(({ low, rank }) => (low === null ? [rank] : []));
  taken.sort((a, b) => a - b);
  const lows = Float64Array.from(known, ({ low }) => low as number);
  const { ranked, ranks } = rankContenders({
    lows,
    highs: lows,
    totals: new Float64Array(known.length),
  });
  const wrong: RankCheck['wrong'] = [];
  let gaps = 0;
  let takenAbove = 0;
  let above: RankedRow | null = null;
  ranked.forEach((position, index) => {
    const row = known[position] as RankedRow;
    while ((taken[takenAbove] ?? row.rank) < row.rank) takenAbove += 1;
    const rank = (ranks[index] as number) + takenAbove;
    const isTied = above !== null && above.low === row.low;
    const offset = row.rank - rank;
    const fits = isTied || !mayHaveGaps ? offset === gaps : offset >= gaps;
    if (fits) gaps = offset;
    else wrong.push({ row, recomputed: rank + gaps });
    above = row;
  });
  return { wrong, gaps };
}
