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
import type { Pillars } from '#core/schema/usage.ts';
import type { DayRange } from './day-series.ts';
import type { Spread, Spreads } from './interval.ts';
import { quantile975 } from './student-t.ts';

/** Leaves each day out in turn. */
export function resample({ sums, from, to }: DayRange, whole: Pillars): Spreads {
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
