/**
 * How certain a metric is: a nominal 95% interval by the delete-one-day jackknife with Student's t. It assumes
 * that days are independent. `scripts/bench/coverage.mjs` measures how often it contains the true value.
 *
 * With n days that have tokens, and theta_i the estimate without day i:
 * se^2 = (n-1)/n * sum (theta_i - mean)^2, theta -+ t(0.975, n-1) * se. The estimate is on the scale
 * on which the metric is symmetric: ln for yield, leverage and velocity, logit for snr, plain for dev10x.
 *
 * @see {@link https://doi.org/10.1093/biomet/43.3-4.353 | Quenouille 1956}, and Tukey 1958 for its use of t
 * @module
 */
import type { MetricName, Metrics } from '#core/schema/record.ts';
import type { Pillars } from '#core/schema/usage.ts';
import { BASIS, type Basis, type DayRange, type DaySums } from './day-series.ts';
import { forEachMetric, significant } from './metrics.ts';
import { quantile975 } from './student-t.ts';

/**
 * The bounds of an interval, to 12 significant digits. The upper bound is null if there is none. The lower bound,
 * by which operators are ranked, is never null.
 */
export type Interval = [low: number, high: number | null];

/** The interval of each metric; null if the metric, or the interval of dev10x, is undefined. */
export type Intervals = Record<MetricName, Interval | null>;

/** The results of resampling the days of one basis, in natural logarithms. */
interface Spreads {
  /** Spread of ln(output / input). */
  velocity: Spread | null;
  /** Spread of ln(cache_read / input). */
  leverage: Spread | null;
  /** Spread of their sum, ln(yield). */
  yield: Spread | null;
  /** Whether output and cache writes stay above zero without any single day, as dev10x requires. */
  isWritten: boolean;
}

/** An estimate and t(0.975, n-1) times its standard error. */
interface Spread {
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

/**
 * The interval of each metric.
 *
 * @param ranges The days of each basis that have tokens.
 * @param sums The sums over these days.
 * @param metrics The metrics of these sums, to 12 significant digits.
 */
export function intervalsOf(
  ranges: Readonly<Record<Basis, DayRange>>,
  sums: Readonly<Record<Basis, Pillars>>,
  metrics: Metrics,
): Intervals {
  // For most operators, all bases contain the same buckets.
  const known: { of: DaySums; spreads: Spreads }[] = [];
  const spreadsOf = (basis: Basis): Spreads => {
    const range = ranges[basis];
    const same = known.find(({ of }) => of === range.sums);
    if (same) return same.spreads;
    const spreads = resample(range, sums[basis]);
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

function intervalOf(metric: MetricName, value: number, spread: Spread | null): Interval | null {
  if (!spread) return metric === 'dev10x' ? null : [0, null];
  // If all days agree, the interval is a single point. Converting there and back would add rounding errors.
  if (spread.half === 0) return [value, value];
  const low = significant(VALUE[metric](spread.theta - spread.half));
  const high = significant(VALUE[metric](spread.theta + spread.half));
  // The value comes from another formula, so its last digit can differ.
  return [Math.min(low, value), Number.isFinite(high) ? Math.max(high, value) : null];
}

/** Leaves each day out in turn. */
function resample({ sums, from, to }: DayRange, whole: Pillars): Spreads {
  const n = to - from;
  const velocity = new Float64Array(n);
  const leverage = new Float64Array(n);
  const both = new Float64Array(n);
  const read = whole.cache_read ?? Number.NaN;
  const write = whole.cache_write ?? Number.NaN;
  let isWritten = true;
  for (let index = 0; index < n; index += 1) {
    const at = from + index;
    const input = whole.input - (sums.input[at] as number);
    const output = whole.output - (sums.output[at] as number);
    const ofVelocity = Math.log(output / input);
    // NaN means that the day does not report the pillar.
    const ofLeverage = Math.log((read - ((sums.cache_read[at] as number) || 0)) / input);
    velocity[index] = ofVelocity;
    leverage[index] = ofLeverage;
    both[index] = ofVelocity + ofLeverage;
    isWritten &&= output > 0 && write - ((sums.cache_write[at] as number) || 0) > 0;
  }
  const atAll = Math.log(whole.output / whole.input);
  const atRead = Math.log(read / whole.input);
  return {
    velocity: spreadOf(atAll, velocity),
    leverage: spreadOf(atRead, leverage),
    yield: spreadOf(atAll + atRead, both),
    isWritten,
  };
}

/** The spread of an estimate; null if it, or one of the estimates without a day, is not finite. */
function spreadOf(theta: number, estimates: Float64Array): Spread | null {
  const n = estimates.length;
  // Differences to the first estimate, so that equal estimates have a spread of exactly 0.
  const first = estimates[0] as number;
  let sum = 0;
  for (let index = 0; index < n; index += 1) sum += (estimates[index] as number) - first;
  if (!Number.isFinite(theta) || !Number.isFinite(sum)) return null;
  const mean = sum / n;
  let squares = 0;
  for (let index = 0; index < n; index += 1) {
    squares += ((estimates[index] as number) - first - mean) ** 2;
  }
  return { theta, half: quantile975(n - 1) * Math.sqrt(((n - 1) / n) * squares) };
}
