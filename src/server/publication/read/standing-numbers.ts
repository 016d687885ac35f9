/** Standings as rows of numbers, from which all their other values are computed. */
import { totalOf } from '#core/domain/counting/bucket.ts';
import { BASES, BASIS, type Basis } from '#core/domain/metrics/day-series.ts';
import type { Interval, Intervals } from '#core/domain/metrics/interval.ts';
import { METRIC_NAMES, unroundedMetric } from '#core/domain/metrics/metrics.ts';
import { type BasisUsage, type Standing, standingFrom } from '#core/domain/metrics/standing.ts';
import type { MetricName } from '#core/schema/record.ts';
import type { Pillars } from '#core/schema/usage.ts';

/** The numbers of one basis: the four token types, active days, effective days. */
const BASIS_NUMBERS = 6;
/** The numbers of one interval: its bounds. */
const INTERVAL_NUMBERS = 2;
const INTERVALS_AT = BASES.length * BASIS_NUMBERS;
const LAST_ACTIVE_AT = INTERVALS_AT + METRIC_NAMES.length * INTERVAL_NUMBERS;

/** The numbers of a standing: the three bases, the five intervals, and the last day with tokens. */
export const STANDING_NUMBERS = LAST_ACTIVE_AT + 1;

/** Writes a standing, starting at `at`; NaN stands for null. */
export function writeStanding(
  numbers: Float64Array,
  at: number,
  { bases, intervals, last_active }: Standing,
): void {
  BASES.forEach((basis, index) => {
    const usage = bases[basis];
    const first = at + index * BASIS_NUMBERS;
    numbers[first] = usage.input;
    numbers[first + 1] = usage.output;
    numbers[first + 2] = usage.cache_write ?? Number.NaN;
    numbers[first + 3] = usage.cache_read ?? Number.NaN;
    numbers[first + 4] = usage.active_days;
    numbers[first + 5] = usage.effective_days;
  });
  METRIC_NAMES.forEach((metric, index) => {
    const [low, high] = intervals[metric] ?? [Number.NaN, null];
    const first = at + INTERVALS_AT + index * INTERVAL_NUMBERS;
    numbers[first] = low;
    numbers[first + 1] = high ?? Number.NaN;
  });
  numbers[at + LAST_ACTIVE_AT] = last_active;
}

export function standingAt(numbers: Float64Array, at: number): Standing {
  const bases = BASES.map((basis, index) => [basis, basisAt(numbers, at + index * BASIS_NUMBERS)]);
  const intervals = METRIC_NAMES.map((metric) => [metric, intervalAt(numbers, at, metric)]);
  return standingFrom(
    Object.fromEntries(bases) as Record<Basis, BasisUsage>,
    Object.fromEntries(intervals) as Intervals,
    numbers[at + LAST_ACTIVE_AT] as number,
  );
}

/** A metric's interval in the standing that starts at `at`. */
export function intervalAt(numbers: Float64Array, at: number, metric: MetricName): Interval | null {
  const first = at + INTERVALS_AT + METRIC_NAMES.indexOf(metric) * INTERVAL_NUMBERS;
  const low = orNull(numbers[first] as number);
  return low === null ? null : [low, orNull(numbers[first + 1] as number)];
}

/** A metric in the standing that starts at `at`, unrounded; NaN if it is undefined. */
export function metricAt(numbers: Float64Array, at: number, metric: MetricName): number {
  const counts = pillarsAt(numbers, at + BASES.indexOf(BASIS[metric]) * BASIS_NUMBERS);
  return unroundedMetric(metric, counts) ?? Number.NaN;
}

/** The lower bound of a metric's interval, by which operators rank; NaN for none. The metric is given by its index. */
export function lowAt(numbers: Float64Array, at: number, index: number): number {
  return numbers[at + INTERVALS_AT + index * INTERVAL_NUMBERS] as number;
}

/** The upper bound of a metric's interval; infinite if there is none. The metric is given by its index. */
export function highAt(numbers: Float64Array, at: number, index: number): number {
  const high = numbers[at + INTERVALS_AT + index * INTERVAL_NUMBERS + 1] as number;
  return Number.isNaN(high) ? Number.POSITIVE_INFINITY : high;
}

/** Converts NaN to null. */
export function orNull(value: number): number | null {
  return Number.isNaN(value) ? null : value;
}

function basisAt(numbers: Float64Array, at: number): BasisUsage {
  const counts = pillarsAt(numbers, at);
  const active_days = numbers[at + 4] as number;
  const effective_days = numbers[at + 5] as number;
  return { ...counts, total: totalOf(counts), active_days, effective_days };
}

function pillarsAt(numbers: Float64Array, at: number): Pillars {
  return {
    input: numbers[at] as number,
    output: numbers[at + 1] as number,
    cache_write: orNull(numbers[at + 2] as number),
    cache_read: orNull(numbers[at + 3] as number),
  };
}
