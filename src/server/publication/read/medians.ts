import { middleOf, MIN_FOR_MEDIAN } from '#core/domain/metrics/median.ts';
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

/**
 * The medians of operators ranked by a metric, without those who opted out of aggregates.
 *
 * @param byValue The ranked operators by their values, lowest first.
 */
export function mediansOf(
  byValue: Uint32Array,
  people: PublishedOperators,
  valueOf: (slot: number) => number,
): Medians {
  const slots = slotsInFigures(byValue, people);
  const tiers = Uint8Array.from(slots, (slot) => people.classAt(slot));
  const classes = [...new Set(tiers)]
    .sort((a, b) => a - b)
    .map((tier) => {
      const class_tier = ClassTier.options[tier] ?? 'unclassed';
      const ofClass = slots.filter((_, at) => tiers[at] === tier);
      return { class_tier, ...medianOf(ofClass, valueOf) };
    });
  return { ...medianOf(slots, valueOf), classes };
}

/** Reads only the values in the middle. */
function medianOf(slots: Uint32Array, valueOf: (slot: number) => number): Median {
  const n = slots.length;
  if (n < MIN_FOR_MEDIAN) return { n, median: null };
  const middle = slots.subarray((n - 1) >> 1, (n >> 1) + 1);
  return { n, median: middleOf(Float64Array.from(middle, valueOf)) };
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
