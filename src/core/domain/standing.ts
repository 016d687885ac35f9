/**
 * An operator's standing in a window: what the days add up to, for each of the three sets of buckets
 * that metrics are computed over.
 *
 * @module
 */
import type { MetricName, Metrics } from '../schema/record.ts';
import type { Totals } from '../schema/board.ts';
import type { Pillars } from '../schema/usage.ts';
import { addPillars, totalOf } from './bucket.ts';
import { METRIC_NAMES, exactMetric, significant } from './metrics.ts';

/** The buckets that a metric is computed over: all, or those that report what it needs. */
export type Basis = 'all' | 'read' | 'read_write';

export const BASES: readonly Basis[] = ['all', 'read', 'read_write'];

/** Each metric's basis. */
export const BASIS = {
  yield: 'read',
  leverage: 'read',
  velocity: 'all',
  snr: 'all',
  dev10x: 'read_write',
} as const satisfies Record<MetricName, Basis>;

/** A bucket that counts, as far as standings need it. */
export interface DayUsage extends Pillars {
  /** Days since 1970-01-01. */
  day: number;
  tool: string;
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
  tools: string[];
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
  const inside = usage.slice(indexOfDay(usage, first), indexOfDay(usage, last + 1));
  const bases = {
    all: sumBasis(inside, () => true, activeDayTokens),
    read: sumBasis(inside, reportsRead, activeDayTokens),
    read_write: sumBasis(inside, reportsReadWrite, activeDayTokens),
  };
  if (bases.all.total === 0) return null;
  const metrics = METRIC_NAMES.map((name) => [name, exactMetric(name, bases[BASIS[name]])]);
  const tools = new Set<string>();
  let lastActive = first;
  for (const bucket of inside) {
    if (totalOf(bucket) === 0) continue;
    tools.add(bucket.tool);
    lastActive = bucket.day;
  }
  return {
    bases,
    metrics: Object.fromEntries(metrics) as Metrics,
    coverage: {
      all: coverageOf(bases.all, bases.all),
      read: coverageOf(bases.read, bases.all),
      read_write: coverageOf(bases.read_write, bases.all),
    },
    tools: [...tools].sort(),
    last_active: lastActive,
  };
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

/** The totals as the board shows them. */
export function totalsOf({ bases: { all } }: Standing): Totals {
  const { input, output, cache_write, cache_read, total } = all;
  return { input, output, cache_write, cache_read, total };
}

function reportsRead(bucket: Pillars): boolean {
  return bucket.cache_read !== null;
}

function reportsReadWrite(bucket: Pillars): boolean {
  return bucket.cache_read !== null && bucket.cache_write !== null;
}

/** Sums the buckets, in order of their days, that report what the basis needs. */
function sumBasis(
  usage: readonly DayUsage[],
  reports: (bucket: Pillars) => boolean,
  activeDayTokens: number,
): BasisUsage {
  const sum: Pillars = { input: 0, output: 0, cache_write: null, cache_read: null };
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
    if (!reports(bucket)) continue;
    if (bucket.day !== day) closeDay();
    day = bucket.day;
    ofDay += totalOf(bucket);
    addPillars(sum, bucket);
  }
  closeDay();
  const total = totalOf(sum);
  const effectiveDays = squares === 0 ? 0 : significant((total * total) / squares);
  return { ...sum, total, active_days: activeDays, effective_days: effectiveDays };
}

function coverageOf(basis: BasisUsage, all: BasisUsage): number | null {
  return all.output === 0 ? null : significant(basis.output / all.output);
}
