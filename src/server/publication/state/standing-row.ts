/**
 * Standings as rows of numbers, from which all their other values are computed. A row begins with a header and two
 * numbers for each metric, followed by the sums of each basis that differs from the one before, and by the share of stated
 * days if a rank requires some. The two numbers are the bounds of the interval, or for intervals by weeks the conservative
 * value and half the width. Either way, the first one ranks.
 */
import { totalOf } from '#core/domain/counting/bucket.ts';
import { BASES, BASIS, type Basis } from '#core/domain/metrics/day-series.ts';
import { DRAWN_IN, thetaOf } from '#core/domain/metrics/conservative.ts';
import type { Interval } from '#core/domain/metrics/interval.ts';
import {
  METRIC_NAMES,
  forEachMetric,
  plainMetric,
  unroundedMetric,
} from '#core/domain/metrics/metrics.ts';
import { type BasisUsage, type Standing, standingFrom } from '#core/domain/metrics/standing.ts';
import type { MetricName } from '#core/schema/record.ts';
import type { Pillars } from '#core/schema/usage.ts';

/** The numbers of one basis: the four token types, active days, effective days. */
const BASIS_NUMBERS = 6;
const RANKS_AT = 1;
const OTHER_AT = 2;
const ALL_AT = 1 + 2 * METRIC_NAMES.length;

/** The most numbers of a row. */
export const MAX_ROW_NUMBERS = ALL_AT + BASES.length * BASIS_NUMBERS + 1;

/**
 * In the header: whether the second and third basis differ, whether intervals are by weeks, whether there is a share of
 * stated days, the metrics that rank, and from here on the last day.
 */
const READ_DIFFERS = 1;
const BOTH_DIFFERS = 2;
const BY_WEEKS = 4;
const HAS_STATED = 8;
const RANKED_BITS = 4;
const LAST_ACTIVE = 2 ** (RANKED_BITS + METRIC_NAMES.length);

/** Where a row begins. */
export interface RowPlace {
  numbers: Float64Array;
  at: number;
}

/**
 * Writes a standing at the start of a list. Returns the number of numbers. NaN stands for null.
 *
 * @param isRanked Whether the standing is ranked by a metric.
 */
export function writeRow(
  row: Float64Array,
  { bases, intervals, conservative, halves, last_active, stated_days }: Standing,
  isRanked: (metric: MetricName) => boolean,
): number {
  let header = last_active * LAST_ACTIVE + (halves ? BY_WEEKS : 0);
  METRIC_NAMES.forEach((metric, index) => {
    if (isRanked(metric)) header += 2 ** (RANKED_BITS + index);
    const other = halves ? halves[metric] : (intervals[metric]?.[1] ?? null);
    row[RANKS_AT + 2 * index] = conservative[metric] ?? Number.NaN;
    row[OTHER_AT + 2 * index] = other ?? Number.NaN;
  });
  let length = writeBasis(row, ALL_AT, bases.all);
  if (!isSameUsage(bases.read, bases.all)) {
    header += READ_DIFFERS;
    length = writeBasis(row, length, bases.read);
  }
  if (!isSameUsage(bases.read_write, bases.read)) {
    header += BOTH_DIFFERS;
    length = writeBasis(row, length, bases.read_write);
  }
  if (stated_days !== null) {
    header += HAS_STATED;
    row[length] = stated_days;
    length += 1;
  }
  row[0] = header;
  return length;
}

/** Equal standings have equal rows, even if they come from different daily counts. */
function isSameUsage(a: BasisUsage, b: BasisUsage): boolean {
  if (a === b) return true;
  const isSameCache = a.cache_write === b.cache_write && a.cache_read === b.cache_read;
  const isSameShape = a.active_days === b.active_days && a.effective_days === b.effective_days;
  return isSameCache && isSameShape && a.input === b.input && a.output === b.output;
}

function writeBasis(row: Float64Array, at: number, usage: BasisUsage): number {
  row[at] = usage.input;
  row[at + 1] = usage.output;
  row[at + 2] = usage.cache_write ?? Number.NaN;
  row[at + 3] = usage.cache_read ?? Number.NaN;
  row[at + 4] = usage.active_days;
  row[at + 5] = usage.effective_days;
  return at + BASIS_NUMBERS;
}

/** How many numbers the row at a place has. */
export function rowLength(row: RowPlace): number {
  return basesEnd(row) + (statedAt(row) === null ? 0 : 1);
}

function basesEnd({ numbers, at }: RowPlace): number {
  const header = numbers[at] as number;
  const more = (header & READ_DIFFERS) + ((header & BOTH_DIFFERS) >> 1);
  return ALL_AT + BASIS_NUMBERS * (1 + more);
}

/** The share of stated days in a row; null if no rank requires some. */
export function statedAt(row: RowPlace): number | null {
  const { numbers, at } = row;
  const hasStated = ((numbers[at] as number) & HAS_STATED) !== 0;
  return hasStated ? (numbers[at + basesEnd(row)] as number) : null;
}

export function standingAt({ numbers, at }: RowPlace): Standing {
  const all = basisAt(numbers, at + ALL_AT);
  const header = numbers[at] as number;
  const read = header & READ_DIFFERS ? basisAt(numbers, basisPlace(numbers, at, 'read')) : all;
  const read_write =
    header & BOTH_DIFFERS ? basisAt(numbers, basisPlace(numbers, at, 'read_write')) : read;
  const standing = standingFrom(
    { all, read, read_write },
    header & BY_WEEKS
      ? { halves: eachMetric((index) => orNull(otherAt(numbers, at, index))) }
      : { intervals: eachMetric((index) => boundsAt(numbers, at, index)) },
    lastActiveAt({ numbers, at }),
  );
  return { ...standing, stated_days: statedAt({ numbers, at }) };
}

function eachMetric<Value>(read: (index: number) => Value): Record<MetricName, Value> {
  return forEachMetric((metric) => read(METRIC_NAMES.indexOf(metric)));
}

function boundsAt(numbers: Float64Array, at: number, index: number): Interval | null {
  const low = orNull(rankingAt(numbers, at, index));
  return low === null ? null : [low, orNull(otherAt(numbers, at, index))];
}

function otherAt(numbers: Float64Array, at: number, index: number): number {
  return numbers[at + OTHER_AT + 2 * index] as number;
}

/** The number of the last day with tokens. */
export function lastActiveAt({ numbers, at }: RowPlace): number {
  return Math.floor((numbers[at] as number) / LAST_ACTIVE);
}

/** Whether a row is ranked by the metric with an index. */
export function isRankedAt(numbers: Float64Array, at: number, index: number): boolean {
  // Bit operations read only the low 32 bits, which contain all flags.
  return (((numbers[at] as number) >> (RANKED_BITS + index)) & 1) === 1;
}

/** A metric in a row, unrounded; NaN if it is undefined. */
export function metricAt(numbers: Float64Array, at: number, metric: MetricName): number {
  const counts = pillarsAt(numbers, basisPlace(numbers, at, BASIS[metric]));
  return unroundedMetric(metric, counts) ?? Number.NaN;
}

/** Reused, because orders compare millions of values. */
const compared = { input: 0, output: 0, cache_read: 0 };

/** The same for rows that are ranked by the metric, without checks. */
export function rankedMetricAt(numbers: Float64Array, at: number, metric: MetricName): number {
  const place = basisPlace(numbers, at, BASIS[metric]);
  compared.input = numbers[place] as number;
  compared.output = numbers[place + 1] as number;
  compared.cache_read = numbers[place + 3] as number;
  return plainMetric(metric, compared);
}

/** The conservative value of the metric with an index; NaN for none. */
export function rankingAt(numbers: Float64Array, at: number, index: number): number {
  return numbers[at + RANKS_AT + 2 * index] as number;
}

/** The same for ranked rows; NaN for rows that are not ranked by the metric. */
export function valueAt(numbers: Float64Array, at: number, index: number): number {
  return isRankedAt(numbers, at, index) ? rankingAt(numbers, at, index) : Number.NaN;
}

/**
 * Between which bounds the value of a ranked row plausibly lies when it is compared with others: its interval, or by
 * weeks the interval drawn in, on the metric's scale.
 */
export function lowestAt(numbers: Float64Array, at: number, metric: MetricName): number {
  const index = METRIC_NAMES.indexOf(metric);
  return isByWeeks(numbers, at)
    ? rankedThetaAt(numbers, at, metric) - DRAWN_IN * otherAt(numbers, at, index)
    : rankingAt(numbers, at, index);
}

/** The upper one of these bounds; infinite if there is none. */
export function highestAt(numbers: Float64Array, at: number, metric: MetricName): number {
  const other = otherAt(numbers, at, METRIC_NAMES.indexOf(metric));
  if (isByWeeks(numbers, at)) return rankedThetaAt(numbers, at, metric) + DRAWN_IN * other;
  return Number.isNaN(other) ? Number.POSITIVE_INFINITY : other;
}

function isByWeeks(numbers: Float64Array, at: number): boolean {
  return ((numbers[at] as number) & BY_WEEKS) !== 0;
}

function rankedThetaAt(numbers: Float64Array, at: number, metric: MetricName): number {
  return thetaOf(metric, rankedMetricAt(numbers, at, metric));
}

/** All tokens of a row. */
export function totalAt(numbers: Float64Array, at: number): number {
  return totalOf(pillarsAt(numbers, at + ALL_AT));
}

/** Converts NaN to null. */
export function orNull(value: number): number | null {
  return Number.isNaN(value) ? null : value;
}

function basisPlace(numbers: Float64Array, at: number, basis: Basis): number {
  const header = numbers[at] as number;
  const reads = basis === 'all' ? 0 : header & READ_DIFFERS;
  const writes = basis === 'read_write' ? (header & BOTH_DIFFERS) >> 1 : 0;
  return at + ALL_AT + BASIS_NUMBERS * (reads + writes);
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
