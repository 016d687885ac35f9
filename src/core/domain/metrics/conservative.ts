/**
 * The conservative value, by which operators rank under ruleset 2: six tenths of the way from a value to the lower bound
 * of its interval, on the scale on which the metric is symmetric. That is about the lower bound of an 80% interval.
 *
 * @module
 */
import type { MetricName } from '#core/schema/record.ts';
import type { Interval, IntervalMethod } from './interval.ts';
import { significant } from './metrics.ts';

const PART = 0.6;

/**
 * Two equal intervals whose bounds are drawn in by this factor stop touching where the difference becomes significant
 * at 5%.
 *
 * @see {@link https://doi.org/10.2307/2983411 | Goldstein and Healy 1995}
 */
export const DRAWN_IN = Math.SQRT1_2;

/** The scale on which a metric is symmetric, in natural logarithms. */
interface Scale {
  of: (value: number) => number;
  value: (theta: number) => number;
}

const RATIO: Scale = { of: Math.log, value: Math.exp };

const SCALES: Readonly<Record<MetricName, Scale>> = {
  yield: RATIO,
  leverage: RATIO,
  velocity: RATIO,
  snr: {
    of: (share) => Math.log(share / (1 - share)),
    value: (theta) => 1 / (1 + Math.exp(-theta)),
  },
  dev10x: { of: (value) => value * Math.LN10, value: (theta) => theta / Math.LN10 },
};

/** A value on its metric's scale; infinite at the ends of a ratio or share. */
export function thetaOf(metric: MetricName, value: number): number {
  return SCALES[metric].of(value);
}

/** The value at a point of its metric's scale, not rounded. */
export function valueOf(metric: MetricName, theta: number): number {
  return SCALES[metric].value(theta);
}

/** The number by which a published value ranks; null without an interval. Rulesets without intervals rank by value. */
export function conservativeBy(
  metric: MetricName,
  { value, interval }: { value: number | null; interval: Interval | null },
  method: IntervalMethod,
): number | null {
  if (value === null || !interval) return null;
  return method === 'jackknife-95' ? interval[0] : conservativeOf(metric, value, interval[0]);
}

/**
 * The value above which a difference is more than luck, as strictly as operators are ranked; infinite without an upper
 * bound.
 */
export function noticeableBy(
  metric: MetricName,
  { value, interval }: { value: number | null; interval: Interval | null },
  method: IntervalMethod,
): number {
  const high = interval?.[1] ?? null;
  if (value === null || high === null) return Number.POSITIVE_INFINITY;
  return method === 'jackknife-95' || high === value ? high : within(metric, value, high);
}

/**
 * The conservative value of a published value, to 12 significant digits. It follows from published numbers alone, so
 * that ranks can be checked without the days behind them.
 *
 * @param value To 12 significant digits.
 * @param low The lower bound of its interval, at most the value.
 */
export function conservativeOf(metric: MetricName, value: number, low: number): number {
  if (low === value) return value;
  return Math.min(Math.max(significant(within(metric, value, low)), low), value);
}

/** Six tenths of the way from a value to a bound. */
function within(metric: MetricName, value: number, bound: number): number {
  const [theta, end] = [thetaOf(metric, value), thetaOf(metric, bound)];
  return valueOf(metric, theta - PART * (theta - end));
}
