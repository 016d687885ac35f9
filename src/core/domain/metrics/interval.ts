/**
 * How sure a metric is: a nominal 95 % interval by the delete-one-day jackknife with Student's t. It
 * takes days for independent; how often it holds the truth is measured by `scripts/bench/coverage.mjs`.
 *
 * With n days that hold any token and theta_i the estimate without day i:
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
 * The ends of an interval, to 12 significant digits. The upper one is null where nothing bounds it; the
 * lower one, by which operators rank, never is.
 */
export type Interval = [low: number, high: number | null];

/** An interval for each metric; null where the metric is undefined, or dev10x's interval is. */
export type Intervals = Record<MetricName, Interval | null>;

/** What the resampled days of one basis tell, on the scale of natural logarithms. */
interface Spreads {
  /** Of ln(output / input). */
  velocity: Spread | null;
  /** Of ln(cache_read / input). */
  leverage: Spread | null;
  /** Of their sum, ln(yield). */
  yield: Spread | null;
  /** Whether output and cache writes are above zero without any one day, as dev10x requires. */
  isWritten: boolean;
}

/** An estimate and t(0.975, n-1) times its standard error. */
interface Spread {
  theta: number;
  half: number;
}

/** How a metric is read from the spreads of its basis: null where the jackknife meets an end of the scale. */
const SPREAD: Readonly<Record<MetricName, (spreads: Spreads) => Spread | null>> = {
  yield: (spreads) => spreads.yield,
  leverage: (spreads) => spreads.leverage,
  velocity: (spreads) => spreads.velocity,
  snr: (spreads) => spreads.velocity,
  dev10x: ({ leverage, isWritten }) => (isWritten ? leverage : null),
};

/** From natural logarithms back to the metric. */
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
 * @param ranges The days of each basis that hold any token.
 * @param sums What they add up to.
 * @param metrics The metrics of these sums, to 12 significant digits.
 */
export function intervalsOf(
  ranges: Readonly<Record<Basis, DayRange>>,
  sums: Readonly<Record<Basis, Pillars>>,
  metrics: Metrics,
): Intervals {
  // Most operators' bases hold the same buckets.
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
  // Days that all tell the same leave nothing open; the way there and back must not either.
  if (spread.half === 0) return [value, value];
  const low = significant(VALUE[metric](spread.theta - spread.half));
  const high = significant(VALUE[metric](spread.theta + spread.half));
  // The last digit of the value comes from another formula.
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
    // A day that does not report a pillar takes nothing away from it.
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
  // From the first one on: equal estimates then differ by exactly nothing.
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
