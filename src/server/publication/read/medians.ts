import { rankContenders } from '#core/domain/board/board.ts';
import { medianOf } from '#core/domain/metrics/median.ts';
import { METRIC_NAMES } from '#core/domain/metrics/metrics.ts';
import { ClassTier } from '#core/schema/board.ts';
import type { MetricName } from '#core/schema/record.ts';
import type { BoardColumns, RankingColumns } from './columns.ts';
import type { Among, PublishedOperators } from './published-operators.ts';
import { highAt, lowAt, metricAt, STANDING_NUMBERS } from './standing-numbers.ts';

interface Median {
  n: number;
  /** Null with fewer than five. */
  median: number | null;
}

/** The medians of a ranking: of all operators, and of each class that has any, lowest first. */
export interface Medians extends Median {
  classes: (Median & { class_tier: ClassTier })[];
}

/** The medians of operators ranked by a metric, without those who opted out of aggregates. */
export function mediansOf(
  columns: BoardColumns,
  ranking: Pick<RankingColumns, 'ranked'>,
  metric: MetricName,
  people: PublishedOperators,
): Medians {
  const rows = rowsInFigures(columns, ranking, people);
  const values = valuesOf(columns, rows, metric);
  const tiers = Uint8Array.from(rows, (row) => people.classAt(columns.operators[row] as number));
  const classes = [...new Set(tiers)]
    .sort((a, b) => a - b)
    .map((tier) => {
      const class_tier = ClassTier.options[tier] ?? 'unclassed';
      return { class_tier, ...middleOf(values.filter((_, at) => tiers[at] === tier)) };
    });
  return { ...middleOf(values), classes };
}

/** The rows of ranked operators who did not opt out of aggregates. */
export function rowsInFigures(
  { operators }: BoardColumns,
  { ranked }: Pick<RankingColumns, 'ranked'>,
  people: PublishedOperators,
): Uint32Array {
  return ranked.filter((row) => people.isInFigures(operators[row] as number));
}

/** The unrounded values of some rows, in their order. */
export function valuesOf({ standings }: BoardColumns, rows: Uint32Array, metric: MetricName) {
  return Float64Array.from(rows, (row) => metricAt(standings, row * STANDING_NUMBERS, metric));
}

function middleOf(values: Float64Array): Median {
  return { n: values.length, median: medianOf(values) };
}

/**
 * A board's ranking by one metric among some operators. Their order is that of the whole board. Ranks and ranges are
 * computed again, and there are no earlier ranks for such a selection.
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
  // Without totals, ties go to the earlier contender. The whole board's order already reflects the totals.
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
