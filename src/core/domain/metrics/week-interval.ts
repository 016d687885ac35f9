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

/** Days that a week can have, by their place in the history, and how many weeks have exactly these. */
interface Week extends Pick<DayRange, 'from' | 'to'> {
  times: number;
}

/** The weeks of a history, and the spreads over them. */
interface HistorySpreads extends Pick<DayRange, 'from' | 'to'> {
  weeks: readonly Week[];
  spreads: Partial<Record<Estimate, WeekSpread>>;
}

/** The newest spreads by days, because the windows of an operator have the same history. */
const known = new WeakMap<DaySums, HistorySpreads>();

/** The spread of an estimate over the days of a history. It is the same for all windows. */
export function weekSpread(history: DayRange, estimate: Estimate): WeekSpread {
  const { sums, from, to } = history;
  let newest = known.get(sums);
  if (newest?.from !== from || newest.to !== to) {
    newest = { from, to, weeks: weeksOf(history), spreads: {} };
    known.set(sums, newest);
  }
  return (newest.spreads[estimate] ??= spreadOver(history, newest.weeks, estimate));
}

function spreadOver(history: DayRange, weeks: readonly Week[], estimate: Estimate): WeekSpread {
  const { evidence, influence, concentration } = sharesOf(history, WEIGHTS[estimate]);
  let ofEvidence = 0;
  let ofEvidence4 = 0;
  let ofInfluence = 0;
  for (const { from, to, times } of weeks) {
    let a = 0;
    let u = 0;
    for (let at = from; at < to; at += 1) {
      a += evidence[at] as number;
      u += influence[at] as number;
    }
    ofEvidence += times * a * a;
    ofEvidence4 += times * a * a * a * a;
    ofInfluence += times * u * u;
  }
  const nu = Math.max(0, (ofEvidence * ofEvidence) / (WEEK * ofEvidence4) - 1);
  const v = nu === 0 ? 0 : ofInfluence / (WEEK - ofEvidence) / concentration;
  const { tau } = WEIGHTS[estimate];
  const prior = PRIOR * tau * tau;
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
  const concentration = concentrationOf(window, WEIGHTS[estimate]);
  return quantile(share, freedom) * Math.sqrt(variance * concentration);
}

/** The evidence and the influence of each day, and the concentration of the evidence. */
function sharesOf(range: DayRange, weights: Weights) {
  const { sums, from, to } = range;
  const ofToken = perToken(range, weights);
  // Faster than typed arrays, which cost more to create than these few numbers.
  const evidence = new Array<number>(to - from);
  const influence = new Array<number>(to - from);
  let concentration = 0;
  for (let at = from; at < to; at += 1) {
    const ofDay = evidenceOf(sums, at, ofToken);
    evidence[at - from] = ofDay;
    influence[at - from] = influenceOf(sums, at, ofToken);
    concentration += ofDay * ofDay;
  }
  return { evidence, influence, concentration };
}

/** The sum of the squared evidence of days. Its reciprocal is the number of effective days. */
function concentrationOf(range: DayRange, weights: Weights): number {
  const ofToken = perToken(range, weights);
  let sum = 0;
  for (let at = range.from; at < range.to; at += 1) {
    const evidence = evidenceOf(range.sums, at, ofToken);
    sum += evidence * evidence;
  }
  return sum;
}

/** What a token of each pillar adds to the influence of its day, and the sum of the weights. */
function perToken(range: DayRange, { input, output, cache_read }: Weights) {
  const { sums } = range;
  return {
    input: input / sumOf(sums.input, range),
    output: output / sumOf(sums.output, range),
    cache_read: cache_read / sumOf(sums.cache_read, range),
    whole: Math.abs(input) + Math.abs(output) + Math.abs(cache_read),
  };
}

type PerToken = ReturnType<typeof perToken>;

/** A pillar without tokens has no evidence. NaN means that the day does not report the pillar. */
function evidenceOf(
  sums: DaySums,
  at: number,
  { input, output, cache_read, whole }: PerToken,
): number {
  const ofInput = Math.abs(input * (sums.input[at] as number) || 0);
  const ofOutput = Math.abs(output * (sums.output[at] as number) || 0);
  const ofRead = Math.abs(cache_read * (sums.cache_read[at] as number) || 0);
  return (ofInput + ofOutput + ofRead) / whole;
}

function influenceOf(sums: DaySums, at: number, { input, output, cache_read }: PerToken): number {
  const ofInput = input * (sums.input[at] as number) || 0;
  const ofOutput = output * (sums.output[at] as number) || 0;
  return ofInput + ofOutput + (cache_read * (sums.cache_read[at] as number) || 0);
}

function sumOf(counts: DaySums['input'], { from, to }: DayRange): number {
  let sum = 0;
  for (let at = from; at < to; at += 1) sum += (counts[at] as number) || 0;
  return sum;
}

function weeksOf({ sums: { day }, from: begin, to: stop }: DayRange): Week[] {
  const dayAt = (at: number) => (at < stop ? (day[at] as number) : Number.POSITIVE_INFINITY);
  const weeks: Week[] = [];
  let first = begin;
  let end = begin;
  // The first day of the current week.
  let start = dayAt(begin) - WEEK + 1;
  while (first < stop) {
    while (dayAt(end) < start + WEEK) end += 1;
    while (dayAt(first) < start) first += 1;
    if (first === end) {
      start = dayAt(first) - WEEK + 1;
      continue;
    }
    const next = Math.min(dayAt(first) + 1, dayAt(end) - WEEK + 1);
    weeks.push({ from: first - begin, to: end - begin, times: next - start });
    start = next;
  }
  return weeks;
}
