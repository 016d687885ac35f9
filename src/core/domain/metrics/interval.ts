/**
 * How certain a metric is: an interval on the scale on which the metric is symmetric, which is ln for yield, leverage and
 * velocity, logit for snr, plain for dev10x.
 *
 * @module
 */
import type { MetricName, Metrics } from '#core/schema/record.ts';
import type { Pillars } from '#core/schema/usage.ts';
import { BASIS, type Basis, type DayRange, type DaySums } from './day-series.ts';
import { forEachMetric, significant } from './metrics.ts';
import { resample } from './jackknife.ts';
import { type Estimate, halfWidth, weekSpread } from './week-interval.ts';

/**
 * The bounds of an interval, to 12 significant digits. The upper bound is null if there is none. The lower bound,
 * by which operators are ranked, is never null.
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

/** The spread of each metric; null if an estimate is at an end of its scale. */
const SPREAD: Readonly<Record<MetricName, (spreads: Spreads) => Spread | null>> = {
  yield: (spreads) => spreads.yield,
  leverage: (spreads) => spreads.leverage,
  velocity: (spreads) => spreads.velocity,
  snr: (spreads) => spreads.velocity,
  dev10x: ({ leverage, isWritten }) => (isWritten ? leverage : null),
};

/** Converts natural logarithms back to the metric. */
const VALUE: Readonly<Record<MetricName, (theta: number) => number>> = {
  yield: Math.exp,
  leverage: Math.exp,
  velocity: Math.exp,
  snr: (theta) => 1 / (1 + Math.exp(-theta)),
  dev10x: (theta) => theta / Math.LN10,
};

/** How intervals are computed: ruleset 1 leaves out each day in turn, ruleset 2 compares weeks. */
export type IntervalMethod = 'jackknife-95' | 'week-80' | 'week-95';

/** The share of intervals that are to contain the true value. */
const SHARES = { 'week-80': 0.8, 'week-95': 0.95 } as const;

/** The method that a ruleset names. Any serves rulesets without intervals, which rank by value. */
export function methodNamed(interval: string | undefined): IntervalMethod {
  return interval === 'week-80' || interval === 'week-95' ? interval : 'jackknife-95';
}

/** The days of each basis with tokens. */
type Ranges = Readonly<Record<Basis, DayRange>>;

/** What intervals are computed from. */
export interface Measured {
  window: Ranges;
  /** The days that spreads are computed from, if they are compared by weeks. */
  history: Ranges;
  /** The sums over the window. */
  sums: Readonly<Record<Basis, Pillars>>;
  /** The metrics of these sums, to 12 significant digits. */
  metrics: Metrics;
}

/** The interval of each metric. */
export function intervalsOf(
  { window, history, sums, metrics }: Measured,
  method: IntervalMethod,
): Intervals {
  // For most operators, all bases contain the same buckets.
  const known: { of: DaySums; spreads: Spreads }[] = [];
  const spreadsOf = (basis: Basis): Spreads => {
    const range = window[basis];
    const same = known.find(({ of }) => of === range.sums);
    if (same) return same.spreads;
    const spreads =
      method === 'jackknife-95'
        ? resample(range, sums[basis])
        : weekSpreads(range, history[basis], sums[basis], SHARES[method]);
    known.push({ of: range.sums, spreads });
    return spreads;
  };
  return forEachMetric((metric) => {
    const value = metrics[metric];
    if (value === null) return null;
    if (value === 0 && metric !== 'dev10x') return [0, 0];
    return intervalOf(metric, value, SPREAD[metric](spreadsOf(BASIS[metric])));
  });
}

function weekSpreads(
  window: DayRange,
  history: DayRange,
  { input, output, cache_read }: Pillars,
  share: number,
): Spreads {
  const atAll = Math.log(output / input);
  const atRead = Math.log((cache_read ?? Number.NaN) / input);
  const spreadOf = (theta: number, estimate: Estimate): Spread | null => {
    if (!Number.isFinite(theta)) return null;
    return { theta, half: halfWidth(window, estimate, weekSpread(history, estimate), share) };
  };
  return {
    velocity: spreadOf(atAll, 'velocity'),
    leverage: spreadOf(atRead, 'leverage'),
    yield: spreadOf(atAll + atRead, 'yield'),
    isWritten: true,
  };
}

function intervalOf(metric: MetricName, value: number, spread: Spread | null): Interval | null {
  if (!spread) return metric === 'dev10x' ? null : [0, null];
  // If all days agree, the interval is a single point. Converting there and back would add rounding errors.
  if (spread.half === 0) return [value, value];
  const low = significant(VALUE[metric](spread.theta - spread.half));
  const high = significant(VALUE[metric](spread.theta + spread.half));
  // The value comes from another formula, so its last digit can differ.
  return [Math.min(low, value), Number.isFinite(high) ? Math.max(high, value) : null];
}
