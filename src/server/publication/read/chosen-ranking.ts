import { rankContenders } from '#core/domain/board/board.ts';
import { METRIC_NAMES } from '#core/domain/metrics/metrics.ts';
import type { MetricName } from '#core/schema/record.ts';
import type { BoardColumns, RankingColumns } from './columns.ts';
import type { Among } from './published-operators.ts';
import { STANDING_NUMBERS, highAt, lowAt } from './standing-numbers.ts';

/**
 * A board's ranking by one metric among some operators only. Who stands before whom is as on the whole
 * board; ranks and ranges are anew, and no earlier ranks of such a choice were kept.
 */
export function chosenRanking(
  { operators, standings, rankings }: BoardColumns,
  metric: MetricName,
  among: Among,
): RankingColumns {
  const isMeant = (row: number) => among[operators[row] as number] === 1;
  const ranked = rankings[metric].ranked.filter(isMeant);
  const unranked = rankings[metric].unranked.filter(isMeant);
  const index = METRIC_NAMES.indexOf(metric);
  const end = (endAt: typeof highAt) =>
    Float64Array.from(ranked, (row) => endAt(standings, row * STANDING_NUMBERS, index));
  // Without totals a tie falls to the earlier contender: the order that the totals have made already.
  const totals = new Float64Array(ranked.length);
  const { ranks, best, worst } = rankContenders({ lows: end(lowAt), highs: end(highAt), totals });
  return {
    ranked,
    ranks,
    best,
    worst,
    unranked,
    earlier: { day: null, week: null },
  };
}
