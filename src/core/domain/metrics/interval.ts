/**
 * How certain a metric is: an interval on the scale on which the metric is symmetric, which is ln for yield, leverage and
 * velocity, logit for snr, plain for dev10x.
 *
 * @module
 */
import type { MetricName, Metrics } from '#core/schema/record.ts';
import type { Pillars } from '#core/schema/usage.ts';
import { BASIS, type Basis, type DayRange, type DaySums } from './day-series.ts';
import { conservativeBy, valueOf } from './conservative.ts';
import { forEachMetric, significant } from './metrics.ts';
import { resample } from './jackknife.ts';
import { type Estimate, halfWidth, weekSpread } from './week-interval.ts';

/**
 * The bounds of an interval, to 12 significant digits. The upper bound is null if there is none. The lower bound is
 * never null.
 */
export type Interval = [low: number, high: number | null];

/** The interval of each metric; null if the metric, or the interval of dev10x, is undefined. */
export type Intervals = Record<MetricName, Interval | null>;

/** The spreads over the days of one basis, in natural logarithms. */
export interface Spreads {
  /** Spread of ln(output / input). */
  velocity: Spread | null;
  /** Spread of ln(cache_read / input). */
  leverage: Spread | null;
  /** Spread of their sum, ln(yield). */
  yield: Spread | null;
  /** Whether dev10x has an interval. */
  isWritten: boolean;
}

/** An estimate, and half the width of its interval. */
export interface Spread {
  theta: number;
  half: number;
}

/** Of which estimate each metric is another scale. */
const ESTIMATE: Readonly<Record<MetricName, Estimate>> = {
  yield: 'yield',
  leverage: 'leverage',
  velocity: 'velocity',
  snr: 'velocity',
  dev10x: 'leverage',
};

/** How intervals are computed: ruleset 1 leaves out each day in turn, ruleset 2 compares weeks. */
export type IntervalMethod = 'jackknife-95' | 'week-80' | 'week-95';

const SHARES = { 'week-80': 0.8, 'week-95': 0.95 } as const;

/** The method that a ruleset names. Any serves rulesets without intervals, which rank by value. */
export function methodNamed(interval: string | undefined): IntervalMethod {
  return interval === 'week-80' || interval === 'week-95' ? interval : 'jackknife-95';
}

/** The days of each basis with tokens. */
type Ranges = Readonly<Record<Basis, DayRange>>;

/** The sums over a window, and their metrics to 12 significant digits. */
interface Summed {
  sums: Readonly<Record<Basis, Pillars>>;
  metrics: Metrics;
}

/** What intervals are computed from. */
export interface Measured extends Summed {
  window: Ranges;
  /** The days that spreads are computed from, if they are compared by weeks. */
  history: Ranges;
}

/** Half the width of each metric's interval by weeks, in natural logarithms; null if the metric is undefined. */
export type Halves = Readonly<Record<MetricName, number | null>>;

/** How certain each metric is. */
export interface Certainty {
  intervals: Intervals;
  /** The numbers by which operators rank: the lower bounds, or by weeks the values of {@linkcode conservativeOf}. */
  conservative: Readonly<Record<MetricName, number | null>>;
  /** What intervals by weeks follow from; null for others. */
  halves: Halves | null;
}

/** How certain each metric is, by a method. */
export function certaintyOf(measured: Measured, method: IntervalMethod): Certainty {
  return method === 'jackknife-95'
    ? certaintyWithin(jackknife(measured))
    : weekCertainty(measured, weekHalves(measured, SHARES[method]));
}

/** The certainty of intervals whose lower bounds rank. */
export function certaintyWithin(intervals: Intervals): Certainty {
  const conservative = forEachMetric((metric) => intervals[metric]?.[0] ?? null);
  return { intervals, conservative, halves: null };
}

/** The certainty that follows from the widths of intervals by weeks. */
export function weekCertainty({ sums, metrics }: Summed, halves: Halves): Certainty {
  const intervals = forEachMetric((metric): Interval | null => {
    const half = halves[metric];
    const spread = half === null ? null : { theta: thetaIn(metric, sums[BASIS[metric]]), half };
    return intervalOf(metric, metrics[metric], spread);
  });
  const conservative = forEachMetric((metric) => {
    return conservativeBy(
      metric,
      { value: metrics[metric], interval: intervals[metric] },
      'week-95',
    );
  });
  return { intervals, conservative, halves };
}

function weekHalves({ window, history, metrics }: Measured, share: number): Halves {
  // Two metrics are other scales of the same estimate, for most operators over the same days.
  const known: { of: DaySums; estimate: Estimate; half: number }[] = [];
  return forEachMetric((metric) => {
    if (metrics[metric] === null) return null;
    const [basis, estimate] = [BASIS[metric], ESTIMATE[metric]];
    const range = window[basis];
    const same = known.find((one) => one.of === range.sums && one.estimate === estimate);
    if (same) return same.half;
    const half = halfWidth(range, estimate, weekSpread(history[basis], estimate), share);
    known.push({ of: range.sums, estimate, half });
    return half;
  });
}

/** The estimate behind a metric: ln of yield, leverage or velocity. */
function thetaIn(metric: MetricName, { input, output, cache_read }: Pillars): number {
  const estimate = ESTIMATE[metric];
  const ofOutput = estimate === 'leverage' ? 0 : Math.log(output / input);
  return estimate === 'velocity'
    ? ofOutput
    : ofOutput + Math.log((cache_read ?? Number.NaN) / input);
}

function jackknife({ window, sums, metrics }: Measured): Intervals {
  // For most operators, all bases contain the same buckets.
  const known: { of: DaySums; spreads: Spreads }[] = [];
  const spreadsOf = (basis: Basis): Spreads => {
    const range = window[basis];
    const same = known.find(({ of }) => of === range.sums);
    if (same) return same.spreads;
    const spreads = resample(range, sums[basis]);
    known.push({ of: range.sums, spreads });
    return spreads;
  };
  return forEachMetric((metric) => {
    if (metrics[metric] === null) return null;
    const spreads = spreadsOf(BASIS[metric]);
    const spread = metric === 'dev10x' && !spreads.isWritten ? null : spreads[ESTIMATE[metric]];
    return intervalOf(metric, metrics[metric], spread);
  });
}

/** @param spread Null if the estimate is at an end of its scale. */
function intervalOf(
  metric: MetricName,
  value: number | null,
  spread: Spread | null,
): Interval | null {
  if (value === null) return null;
  if (value === 0 && metric !== 'dev10x') return [0, 0];
  if (!spread || !Number.isFinite(spread.theta)) return metric === 'dev10x' ? null : [0, null];
  // If all days agree, the interval is a single point. Converting there and back would add rounding errors.
  if (spread.half === 0) return [value, value];
  const low = significant(valueOf(metric, spread.theta - spread.half));
  const high = significant(valueOf(metric, spread.theta + spread.half));
  // The value comes from another formula, so its last digit can differ.
  return [Math.min(low, value), Number.isFinite(high) ? Math.max(high, value) : null];
}
