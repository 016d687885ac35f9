import { medianOf } from '#core/domain/metrics/median.ts';
import { ClassTier } from '#core/schema/board.ts';
import type { MetricName } from '#core/schema/record.ts';
import { metricAt, type RowPlace } from '../state/standing-row.ts';
import type { PublishedOperators } from './published-operators.ts';

interface Median {
  n: number;
  /** Null with fewer than five. */
  median: number | null;
}

/** The medians of a ranking: of all operators, and of each class that has any, lowest first. */
export interface Medians extends Median {
  classes: (Median & { class_tier: ClassTier })[];
}

type RowOf = (slot: number) => RowPlace;

/** The medians of operators ranked by a metric, without those who opted out of aggregates. */
export function mediansOf(
  ranked: Uint32Array,
  metric: MetricName,
  people: PublishedOperators,
  rowOf: RowOf,
): Medians {
  const slots = slotsInFigures(ranked, people);
  const values = valuesOf(slots, metric, rowOf);
  const tiers = Uint8Array.from(slots, (slot) => people.classAt(slot));
  const classes = [...new Set(tiers)]
    .sort((a, b) => a - b)
    .map((tier) => {
      const class_tier = ClassTier.options[tier] ?? 'unclassed';
      return { class_tier, ...middleOf(values.filter((_, at) => tiers[at] === tier)) };
    });
  return { ...middleOf(values), classes };
}

/** Ranked operators who did not opt out of aggregates. */
export function slotsInFigures(ranked: Uint32Array, people: PublishedOperators): Uint32Array {
  return ranked.filter((slot) => people.isInFigures(slot));
}

/** The unrounded values of some operators, in their order. */
export function valuesOf(slots: Uint32Array, metric: MetricName, rowOf: RowOf): Float64Array {
  return Float64Array.from(slots, (slot) => {
    const { numbers, at } = rowOf(slot);
    return metricAt(numbers, at, metric);
  });
}

function middleOf(values: Float64Array): Median {
  return { n: values.length, median: medianOf(values) };
}
