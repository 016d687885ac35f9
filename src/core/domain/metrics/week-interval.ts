/**
 * How certain a metric is, from the weeks of the last 90 days: an interval that correlated days do not make too narrow,
 * and that days with few tokens do not change.
 *
 * For each metric, the estimate is theta = sum of c ln(S) over the pillars' sums S. Of a day or a week, h is its share of a
 * pillar's sum, A = sum |c| h / sum |c| its evidence, and U = sum c h its influence. A week is any 7 calendar days in a row
 * with tokens on one of them, so each day is in 7 weeks.
 *
 *     H     = sum of A^2 over days; 1 / H is the number of effective days
 *     nu    = max(0, (sum A^2)^2 / (7 sum A^4) - 1), over weeks
 *     v     = sum U^2 / (7 - sum A^2) / H, over weeks; 0 if nu = 0
 *     s^2   = max((4 tau^2 + nu v) / (4 + nu), min(1, nu) v)
 *     theta -+ t(4 + nu) sqrt(s^2 H), with the H of the window
 *
 * The weeks are the moving-block jackknife, with weights by calendar distance. `nu` is Satterthwaite's number of degrees
 * of freedom. `s^2` is moderated by a fixed prior, which counts like 4 weeks.
 *
 * @see {@link https://doi.org/10.1214/aos/1176347265 | Künsch 1989}, {@link https://doi.org/10.2307/3002019 | Satterthwaite 1946} and {@link https://doi.org/10.2202/1544-6115.1027 | Smyth 2004}
 * @module
 */
import type { DayRange, DaySums } from './day-series.ts';
import { quantile } from './student-t.ts';

/** What is estimated: ln of yield, leverage or velocity. */
export type Estimate = 'leverage' | 'velocity' | 'yield';

/** The weights c of a day's pillars, and tau, the prior spread of an effective day. */
interface Weights {
  input: number;
  output: number;
  cache_read: number;
  tau: number;
}

const WEIGHTS: Readonly<Record<Estimate, Weights>> = {
  yield: { input: -2, output: 1, cache_read: 1, tau: 2.5 },
  leverage: { input: -1, output: 0, cache_read: 1, tau: 1.25 },
  velocity: { input: -1, output: 1, cache_read: 0, tau: 1.25 },
};

/** The days of the history that spreads are computed from, unless the window is longer. */
export const HISTORY_DAYS = 90;

const WEEK = 7;
/** How many weeks the prior counts for. */
const PRIOR = 4;

/** The spread of an effective day, and how certain it is. */
export interface WeekSpread {
  /** The variance of the estimate over one effective day, on the logarithmic scale. */
  variance: number;
  /** Degrees of freedom, at least 4. */
  freedom: number;
}

/** Spreads by days, because the windows of an operator have the same history. */
const known = new WeakMap<DaySums, Map<string, WeekSpread>>();

/** The spread of an estimate over the days of a history. It is the same for all windows. */
export function weekSpread(history: DayRange, estimate: Estimate): WeekSpread {
  const { sums, from, to } = history;
  let ofDays = known.get(sums);
  if (!ofDays) known.set(sums, (ofDays = new Map()));
  const key = `${estimate} ${from} ${to}`;
  let spread = ofDays.get(key);
  if (!spread) ofDays.set(key, (spread = spreadOver(history, estimate)));
  return spread;
}

function spreadOver(history: DayRange, estimate: Estimate): WeekSpread {
  const weights = WEIGHTS[estimate];
  const { evidence, influence } = sharesOf(history, weights);
  const concentration = squares(evidence);
  let ofEvidence = 0;
  let ofEvidence4 = 0;
  let ofInfluence = 0;
  eachWeek(history, (from, to, times) => {
    let a = 0;
    let u = 0;
    for (let at = from; at < to; at += 1) {
      a += evidence[at - history.from] as number;
      u += influence[at - history.from] as number;
    }
    ofEvidence += times * a * a;
    ofEvidence4 += times * a * a * a * a;
    ofInfluence += times * u * u;
  });
  const nu = Math.max(0, (ofEvidence * ofEvidence) / (WEEK * ofEvidence4) - 1);
  const v = nu === 0 ? 0 : ofInfluence / (WEEK - ofEvidence) / concentration;
  const prior = PRIOR * weights.tau * weights.tau;
  const variance = Math.max((prior + nu * v) / (PRIOR + nu), Math.min(1, nu) * v);
  return { variance, freedom: PRIOR + nu };
}

/**
 * Half the width of an estimate's interval over a window, on the logarithmic scale.
 *
 * @param share The nominal share of intervals that contain the true value, for example 0.95.
 */
export function halfWidth(
  window: DayRange,
  estimate: Estimate,
  { variance, freedom }: WeekSpread,
  share: number,
): number {
  const concentration = squares(sharesOf(window, WEIGHTS[estimate]).evidence);
  return quantile(share, freedom) * Math.sqrt(variance * concentration);
}

/** The evidence and the influence of each day. A pillar without tokens has none. */
function sharesOf(range: DayRange, { input, output, cache_read }: Weights) {
  const { sums, from, to } = range;
  const whole = Math.abs(input) + Math.abs(output) + Math.abs(cache_read);
  const perInput = input / sumOf(sums.input, range);
  const perOutput = output / sumOf(sums.output, range);
  const perRead = cache_read / sumOf(sums.cache_read, range);
  const evidence = new Float64Array(to - from);
  const influence = new Float64Array(to - from);
  for (let at = from; at < to; at += 1) {
    const ofInput = perInput * (sums.input[at] as number) || 0;
    const ofOutput = perOutput * (sums.output[at] as number) || 0;
    // NaN means that the day does not report the pillar.
    const ofRead = perRead * (sums.cache_read[at] as number) || 0;
    evidence[at - from] = (Math.abs(ofInput) + Math.abs(ofOutput) + Math.abs(ofRead)) / whole;
    influence[at - from] = ofInput + ofOutput + ofRead;
  }
  return { evidence, influence };
}

function sumOf(counts: DaySums['input'], { from, to }: DayRange): number {
  let sum = 0;
  for (let at = from; at < to; at += 1) sum += (counts[at] as number) || 0;
  return sum;
}

function squares(values: Float64Array): number {
  let sum = 0;
  for (const value of values) sum += value * value;
  return sum;
}

/** Calls `visit` for each set of days that a week can have, with the number of weeks that have it. */
function eachWeek(
  { sums: { day }, from, to }: DayRange,
  visit: (from: number, to: number, times: number) => void,
): void {
  const dayAt = (at: number) => (at < to ? (day[at] as number) : Number.POSITIVE_INFINITY);
  let first = from;
  let end = from;
  // The first day of the current week.
  let start = dayAt(from) - WEEK + 1;
  while (first < to) {
    while (dayAt(end) < start + WEEK) end += 1;
    while (dayAt(first) < start) first += 1;
    if (first === end) {
      start = dayAt(first) - WEEK + 1;
      continue;
    }
    const next = Math.min(dayAt(first) + 1, dayAt(end) - WEEK + 1);
    visit(first, end, next - start);
    start = next;
  }
}
