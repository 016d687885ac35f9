/**
 * The daily sums of one operator's buckets, for each of the three sets of buckets that metrics are computed over.
 * They are stored in columns, because a board resamples hundreds of days of tens of thousands of operators.
 *
 * @module
 */
import type { MetricName } from '#core/schema/record.ts';
import type { Trust } from '#core/schema/submission.ts';
import type { Pillars } from '#core/schema/usage.ts';
import { totalOf } from '../counting/bucket.ts';
import { firstNot } from '../text/binary-search.ts';

/** The buckets that a metric is computed over: all, or those that report what it needs. */
export type Basis = 'all' | 'read' | 'read_write';

/** Every basis. */
export const BASES: readonly Basis[] = ['all', 'read', 'read_write'];

/** Each metric's basis. */
export const BASIS = {
  yield: 'read',
  leverage: 'read',
  velocity: 'all',
  snr: 'all',
  dev10x: 'read_write',
} as const satisfies Record<MetricName, Basis>;

/** Where a bucket's tokens come from. */
export interface BucketSource {
  tool: string;
  provider: string;
  model: string;
  trust: Trust;
}

/** The counts of a day. */
export interface DayCounts extends Pillars {
  /** Days since 1970-01-01. */
  day: number;
}

/** A counting bucket, with the fields that boards need. */
export interface DayUsage extends DayCounts {
  source: BucketSource;
}

/** The sums of the days with tokens, ascending. In the cache pillars, NaN means null. */
export interface DaySums {
  day: number[];
  input: number[];
  output: number[];
  cache_write: number[];
  cache_read: number[];
  total: number[];
}

/** Days of a basis, from the index `from` to before the index `to`. */
export interface DayRange {
  sums: DaySums;
  from: number;
  to: number;
}

/** The days of each basis. Bases with the same buckets share an object. */
export type DaySeries = Readonly<Record<Basis, DaySums>>;

/**
 * The daily sums of buckets, or of partial sums whose buckets report the same pillars.
 *
 * @param usage Sorted by day; their total is at most 2^53-1.
 */
export function seriesOf(usage: readonly DayCounts[]): DaySeries {
  const read = onlyThose(usage, reportsRead);
  const readWrite = onlyThose(read, reportsReadWrite);
  const ofAll = sumsOf(usage);
  const ofRead = read === usage ? ofAll : sumsOf(read);
  const ofBoth = readWrite === read ? ofRead : sumsOf(readWrite);
  return { all: ofAll, read: ofRead, read_write: ofBoth };
}

/** The days from `first` to `last`, by number; `first` may be minus infinity. */
export function rangeOf(sums: DaySums, first: number, last: number): DayRange {
  return { sums, from: indexOfDay(sums.day, first), to: indexOfDay(sums.day, last + 1) };
}

/** The days from `first` to `last` on their own, by number. */
export function seriesBetween(
  { all, read, read_write }: DaySeries,
  first: number,
  last: number,
): DaySeries {
  const ofAll = sumsBetween(all, first, last);
  const ofRead = read === all ? ofAll : sumsBetween(read, first, last);
  const ofBoth = read_write === read ? ofRead : sumsBetween(read_write, first, last);
  return { all: ofAll, read: ofRead, read_write: ofBoth };
}

/** The buckets that satisfy a condition. Returns the same array if all do. */
export function onlyThose<Usage>(
  usage: readonly Usage[],
  holds: (bucket: Usage) => boolean,
): readonly Usage[] {
  return usage.every(holds) ? usage : usage.filter(holds);
}

/** Whether a bucket reports cache reads. */
export function reportsRead(bucket: Pillars): boolean {
  return bucket.cache_read !== null;
}

/** Whether a bucket reports both cache pillars. */
export function reportsReadWrite(bucket: Pillars): boolean {
  return bucket.cache_read !== null && bucket.cache_write !== null;
}

/** Adds two values of a cache pillar. NaN means unreported. */
export function addReported(sum: number, value: number): number {
  if (Number.isNaN(value)) return sum;
  return Number.isNaN(sum) ? value : sum + value;
}

function sumsOf(usage: readonly DayCounts[]): DaySums {
  const sums: DaySums = {
    day: [],
    input: [],
    output: [],
    cache_write: [],
    cache_read: [],
    total: [],
  };
  let at = -1;
  let day = Number.NaN;
  for (const bucket of usage) {
    const total = totalOf(bucket);
    if (total === 0) continue;
    const write = bucket.cache_write ?? Number.NaN;
    const read = bucket.cache_read ?? Number.NaN;
    if (bucket.day !== day) {
      day = bucket.day;
      at = sums.day.push(day) - 1;
      sums.input.push(bucket.input);
      sums.output.push(bucket.output);
      sums.cache_write.push(write);
      sums.cache_read.push(read);
      sums.total.push(total);
    } else {
      sums.input[at] = (sums.input[at] as number) + bucket.input;
      sums.output[at] = (sums.output[at] as number) + bucket.output;
      sums.cache_write[at] = addReported(sums.cache_write[at] as number, write);
      sums.cache_read[at] = addReported(sums.cache_read[at] as number, read);
      sums.total[at] = (sums.total[at] as number) + total;
    }
  }
  return sums;
}

function sumsBetween(sums: DaySums, first: number, last: number): DaySums {
  const { from, to } = rangeOf(sums, first, last);
  const cut = (column: number[]) => column.slice(from, to);
  return {
    day: cut(sums.day),
    input: cut(sums.input),
    output: cut(sums.output),
    cache_write: cut(sums.cache_write),
    cache_read: cut(sums.cache_read),
    total: cut(sums.total),
  };
}

/** The index of the first day that is not before `day`. */
function indexOfDay(days: readonly number[], day: number): number {
  return firstNot(days.length, (at) => (days[at] as number) < day);
}
