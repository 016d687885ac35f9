import { medianOf } from '#core/domain/median.ts';
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
  { operators, standings }: BoardColumns,
  { ranked }: Pick<RankingColumns, 'ranked'>,
  metric: MetricName,
  people: PublishedOperators,
): Medians {
  const counted = ranked.filter((row) => people.isInFigures(operators[row] as number));
  const values = new Float64Array(counted.length);
  const tiers = new Uint8Array(counted.length);
  counted.forEach((row, at) => {
    values[at] = metricAt(standings, row * STANDING_NUMBERS, metric);
    tiers[at] = people.classAt(operators[row] as number);
  });
  const classes = [...new Set(tiers)]
    .sort((a, b) => a - b)
    .map((tier) => {
      const class_tier = ClassTier.options[tier] ?? 'unclassed';
      return { class_tier, ...middleOf(values.filter((_, at) => tiers[at] === tier)) };
    });
  return { ...middleOf(values), classes };
}

function middleOf(values: Float64Array): Median {
  return { n: values.length, median: medianOf(values) };
}
