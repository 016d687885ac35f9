/**
 * An operator's standing in a window: what the days add up to, for each of the three sets of buckets
 * that metrics are computed over.
 *
 * @module
 */
import type { Totals } from '../schema/board.ts';
import type { MetricName, Metrics } from '../schema/record.ts';
import type { Trust } from '../schema/submission.ts';
import type { Pillars } from '../schema/usage.ts';
import { sumPillars, totalOf } from './bucket.ts';
import { METRIC_NAMES, exactMetric, significant } from './metrics.ts';

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
export interface UsageSource {
  tool: string;
  provider: string;
  model: string;
  trust: Trust;
}

/** A bucket that counts, as far as boards need it. */
export interface DayUsage extends Pillars {
  /** Days since 1970-01-01. */
  day: number;
  source: UsageSource;
}

/** The sums of one basis over a window. */
export interface BasisUsage extends Pillars {
  total: number;
  /** Days of at least the ruleset's `active_day_tokens`. */
  active_days: number;
  /** (sum T)^2 / sum T^2 over the days' totals T; 0 without tokens; 12 significant digits. */
  effective_days: number;
}

/** What one operator did in one window. */
export interface Standing {
  bases: Record<Basis, BasisUsage>;
  /** To 12 significant digits, each over its own basis. */
  metrics: Metrics;
  /** The share of all output tokens in each basis; null without output. */
  coverage: Record<Basis, number | null>;
  /** The number of the last day with any token. */
  last_active: number;
}

/**
 * The standing of one operator in the days `first` to `last`, or null without a token there.
 *
 * @param usage The operator's counting buckets, sorted by day; their total is at most 2^53-1.
 * @param first The first day's number; may be minus infinity.
 */
export function standingOf(
  usage: readonly DayUsage[],
  first: number,
  last: number,
  activeDayTokens: number,
): Standing | null {
  const inside = daysOf(usage, first, last);
  const lastActive = inside.findLast((bucket) => totalOf(bucket) > 0)?.day;
  if (lastActive === undefined) return null;
  const read = inside.filter(reportsRead);
  const readWrite = read.filter(reportsReadWrite);
  const ofAll = sumBasis(inside, activeDayTokens);
  const ofRead = read.length === inside.length ? ofAll : sumBasis(read, activeDayTokens);
  const ofBoth = readWrite.length === read.length ? ofRead : sumBasis(readWrite, activeDayTokens);
  return standingFrom({ all: ofAll, read: ofRead, read_write: ofBoth }, lastActive);
}

/** A standing from the sums that determine it. */
export function standingFrom(bases: Record<Basis, BasisUsage>, last_active: number): Standing {
  return {
    bases,
    metrics: metricsOver(bases),
    coverage: {
      all: coverageOf(bases.all, bases.all),
      read: coverageOf(bases.read, bases.all),
      read_write: coverageOf(bases.read_write, bases.all),
    },
    last_active,
  };
}

/**
 * The metrics of buckets together, each over those that report what it needs, to 12 significant digits.
 *
 * @param buckets Their total is at most 2^53-1.
 */
export function metricsOf(buckets: readonly Pillars[]): Metrics {
  return metricsOver({
    all: sumPillars(buckets),
    read: sumPillars(buckets.filter(reportsRead)),
    read_write: sumPillars(buckets.filter(reportsReadWrite)),
  });
}

/** The buckets of the days `first` to `last`, of buckets sorted by day. */
export function daysOf(usage: readonly DayUsage[], first: number, last: number): DayUsage[] {
  return usage.slice(indexOfDay(usage, first), indexOfDay(usage, last + 1));
}

/** The totals as the board shows them. */
export function totalsOf(counts: Pillars): Totals {
  const { input, output, cache_write, cache_read } = counts;
  return { input, output, cache_write, cache_read, total: totalOf(counts) };
}

/** The index of the first bucket on or after a day, by binary search. */
function indexOfDay(usage: readonly DayUsage[], day: number): number {
  let low = 0;
  let high = usage.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((usage[middle] as DayUsage).day < day) low = middle + 1;
    else high = middle;
  }
  return low;
}

function metricsOver(bases: Record<Basis, Pillars>): Metrics {
  const metrics = METRIC_NAMES.map((name) => [name, exactMetric(name, bases[BASIS[name]])]);
  return Object.fromEntries(metrics) as Metrics;
}

function reportsRead(bucket: Pillars): boolean {
  return bucket.cache_read !== null;
}

function reportsReadWrite(bucket: Pillars): boolean {
  return bucket.cache_read !== null && bucket.cache_write !== null;
}

/** Sums buckets, in order of their days. */
function sumBasis(usage: readonly DayUsage[], activeDayTokens: number): BasisUsage {
  let activeDays = 0;
  let squares = 0;
  let day = Number.NaN;
  let ofDay = 0;
  const closeDay = () => {
    if (ofDay > 0 && ofDay >= activeDayTokens) activeDays += 1;
    squares += ofDay * ofDay;
    ofDay = 0;
  };
  for (const bucket of usage) {
    if (bucket.day !== day) closeDay();
    day = bucket.day;
    ofDay += totalOf(bucket);
  }
  closeDay();
  const sum = sumPillars(usage);
  const total = totalOf(sum);
  const effectiveDays = squares === 0 ? 0 : significant((total * total) / squares);
  return { ...sum, total, active_days: activeDays, effective_days: effectiveDays };
}

function coverageOf(basis: Pillars, all: Pillars): number | null {
  if (all.output === 0) return null;
  return basis.output === all.output ? 1 : significant(basis.output / all.output);
}
