/** The standing of an operator in a window: sums, metrics and intervals. */
import type { Totals } from '#core/schema/board.ts';
import type { Metrics } from '#core/schema/record.ts';
import type { Pillars } from '#core/schema/usage.ts';
import { sumPillars, totalOf } from '../counting/bucket.ts';
import {
  BASIS,
  type Basis,
  type DayRange,
  type DaySeries,
  addReported,
  rangeOf,
  reportsRead,
  reportsReadWrite,
} from './day-series.ts';
import {
  type Certainty,
  certaintyOf,
  certaintyWithin,
  type Halves,
  type IntervalMethod,
  type Intervals,
  methodNamed,
  weekCertainty,
} from './interval.ts';
import { HISTORY_DAYS } from './week-interval.ts';
import { exactMetric, forEachMetric, significant } from './metrics.ts';

/** The sums of one basis over a window. */
export interface BasisUsage extends Pillars {
  total: number;
  /** Days of at least the ruleset's `active_day_tokens`. */
  active_days: number;
  /** (sum T)^2 / sum T^2 over the days' totals T; 0 without tokens; 12 significant digits. */
  effective_days: number;
}

/** The results of one operator in one window. */
export interface Standing extends Certainty {
  bases: Record<Basis, BasisUsage>;
  /** To 12 significant digits, each over its own basis. */
  metrics: Metrics;
  /** The share of all output tokens in each basis; null without output. */
  coverage: Record<Basis, number | null>;
  /** The number of the last day with tokens. */
  last_active: number;
  /** The share of days that the account states, from 0 to 1; null unless a rank requires some. */
  stated_days: number | null;
}

/** The ranking rules that a standing depends on. */
export interface StandingRules {
  /** The fewest tokens of an active day. */
  active_day_tokens: number;
  /** How intervals are computed. */
  interval?: string | undefined;
}

/**
 * The standing of one operator on the days `first` to `last`; null without tokens. Without the share of stated days, which
 * does not follow from the days with tokens.
 *
 * @param series The operator's days. Their total is at most 2^53-1.
 * @param first The number of the first day; may be minus infinity.
 */
export function standingOf(
  series: DaySeries,
  first: number,
  last: number,
  { active_day_tokens, interval }: StandingRules,
): Standing | null {
  const method = methodNamed(interval);
  const ranges = rangesOf(series, first, last);
  const { all, read } = ranges;
  const lastActive = series.all.day[all.to - 1];
  if (all.from === all.to || lastActive === undefined) return null;
  const ofAll = sumRange(all, active_day_tokens);
  const ofRead = read === all ? ofAll : sumRange(read, active_day_tokens);
  const ofBoth =
    ranges.read_write === read ? ofRead : sumRange(ranges.read_write, active_day_tokens);
  const bases = { all: ofAll, read: ofRead, read_write: ofBoth };
  const metrics = metricsOver(bases);
  const from = firstConcerned({ first, last }, method);
  const history = from === first ? ranges : rangesOf(series, from, last);
  const certainty = certaintyOf({ window: ranges, history, sums: bases, metrics }, method);
  const coverage = coverageIn(bases);
  return { bases, metrics, ...certainty, coverage, last_active: lastActive, stated_days: null };
}

/**
 * The first day on which the standing of a window can depend: for intervals by weeks, spreads come from the last
 * {@linkcode HISTORY_DAYS} days, or from the window if it is longer.
 */
export function firstConcerned(
  { first, last }: { first: number; last: number },
  method: IntervalMethod,
): number {
  return method === 'jackknife-95' ? first : Math.min(first, last - HISTORY_DAYS + 1);
}

/** The days of each basis. Bases with the same days share an object. */
function rangesOf(series: DaySeries, first: number, last: number): Record<Basis, DayRange> {
  const all = rangeOf(series.all, first, last);
  const rangeIn = (basis: Basis, known: DayRange) =>
    series[basis] === known.sums ? known : rangeOf(series[basis], first, last);
  const read = rangeIn('read', all);
  return { all, read, read_write: rangeIn('read_write', read) };
}

/**
 * Builds a standing from the parts that determine it.
 *
 * @param stored The widths of intervals by weeks, or other intervals.
 */
export function standingFrom(
  bases: Record<Basis, BasisUsage>,
  stored: { halves: Halves } | { intervals: Intervals },
  last_active: number,
): Standing {
  const metrics = metricsOver(bases);
  const certainty =
    'halves' in stored
      ? weekCertainty({ sums: bases, metrics }, stored.halves)
      : certaintyWithin(stored.intervals);
  const coverage = coverageIn(bases);
  return { bases, metrics, ...certainty, coverage, last_active, stated_days: null };
}

/**
 * The metrics of several buckets together, each over those that report what it needs, to 12 significant digits.
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

/** The totals as the board shows them. */
export function totalsOf(counts: Pillars): Totals {
  const { input, output, cache_write, cache_read } = counts;
  return { input, output, cache_write, cache_read, total: totalOf(counts) };
}

/** Each metric over the sums of its own basis. */
function metricsOver(bases: Record<Basis, Pillars>): Metrics {
  return forEachMetric((name) => exactMetric(name, bases[BASIS[name]]));
}

function sumRange({ sums, from, to }: DayRange, activeDayTokens: number): BasisUsage {
  const sum = { input: 0, output: 0, cache_write: Number.NaN, cache_read: Number.NaN, total: 0 };
  let activeDays = 0;
  let squares = 0;
  for (let at = from; at < to; at += 1) {
    const total = sums.total[at] as number;
    sum.input += sums.input[at] as number;
    sum.output += sums.output[at] as number;
    sum.cache_write = addReported(sum.cache_write, sums.cache_write[at] as number);
    sum.cache_read = addReported(sum.cache_read, sums.cache_read[at] as number);
    sum.total += total;
    if (total >= activeDayTokens) activeDays += 1;
    squares += total * total;
  }
  return {
    ...sum,
    cache_write: Number.isNaN(sum.cache_write) ? null : sum.cache_write,
    cache_read: Number.isNaN(sum.cache_read) ? null : sum.cache_read,
    active_days: activeDays,
    effective_days: squares === 0 ? 0 : significant((sum.total * sum.total) / squares),
  };
}

function coverageIn({ all, read, read_write }: Record<Basis, Pillars>): Standing['coverage'] {
  return {
    all: coverageOf(all, all),
    read: coverageOf(read, all),
    read_write: coverageOf(read_write, all),
  };
}

function coverageOf(basis: Pillars, all: Pillars): number | null {
  if (all.output === 0) return null;
  return basis.output === all.output ? 1 : significant(basis.output / all.output);
}
