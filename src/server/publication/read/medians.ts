import { medianOf } from '#core/domain/metrics/median.ts';
import { ClassTier } from '#core/schema/board.ts';
import type { MetricName } from '#core/schema/record.ts';
import type { BoardColumns, RankingColumns } from './columns.ts';
import type { PublishedOperators } from './published-operators.ts';
import { STANDING_NUMBERS, metricAt } from './standing-numbers.ts';

/** The middle of some operators' values. */
export interface Median {
  /** How many it is of. */
  n: number;
  /** Null below five. */
  median: number | null;
}

/** The medians of a ranking: of all, and of each class that anybody is in, lowest first. */
export interface Medians extends Median {
  classes: (Median & { class_tier: ClassTier })[];
}

/** The medians of who is ranked by a metric, without those who stay out of such figures. */
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

/** The rows of those ranked who do not stay out of medians and the like. */
export function rowsInFigures(
  { operators }: BoardColumns,
  { ranked }: Pick<RankingColumns, 'ranked'>,
  people: PublishedOperators,
): Uint32Array {
  return ranked.filter((row) => people.isInFigures(operators[row] as number));
}

/** The values of some rows, unrounded, in their order. */
export function valuesOf(
  { standings }: BoardColumns,
  rows: Uint32Array,
  metric: MetricName,
): Float64Array {
  return Float64Array.from(rows, (row) => metricAt(standings, row * STANDING_NUMBERS, metric));
}

function middleOf(values: Float64Array): Median {
  return { n: values.length, median: medianOf(values) };
}
