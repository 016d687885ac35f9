/**
 * A back-test of the intervals that needs no true values. The last 90 days of an operator are split into the first 60
 * and the last 30 days. If the intervals hold and both parts are alike, the values of the parts differ by at most
 *
 *     |ln(value1 / value2)| <= sqrt(half1^2 + half2^2)
 *
 * as often as the intervals promise. Less often means that intervals are too narrow or that people's work changes.
 *
 * @module
 */
import type { Agreement, Calibration, MethodCalibration } from '#core/schema/calibration.ts';
import { type DaySeries, seriesBetween } from '../metrics/day-series.ts';
import type { IntervalMethod } from '../metrics/interval.ts';
import { type Standing, standingOf } from '../metrics/standing.ts';
import { firstDayOf } from '../metrics/window.ts';
import { rankingValue } from './board.ts';
import { type Ruleset, eligibilityIn, withoutStatedDays } from './ruleset.ts';

/** The fewest operators for which a percentage is shown. Its standard error is then 1.5 points, near 95%. */
export const CALIBRATION_OPERATORS = 200;

/** The window that is split, and its second part. */
const WHOLE = '90d';
const SECOND = '30d';

/** SNR and Dev10x are velocity and leverage on other scales. */
export const CALIBRATED_METRICS = ['yield', 'leverage', 'velocity'] as const;
type Calibrated = (typeof CALIBRATED_METRICS)[number];

/** The share of intervals that contain the true value, in percent. */
const EXPECTED: Readonly<Record<IntervalMethod, number>> = {
  'jackknife-95': 95,
  'week-80': 80,
  'week-95': 95,
};

const METHODS = Object.keys(EXPECTED) as IntervalMethod[];

/** The methods that are always compared. */
const COMPARED: readonly IntervalMethod[] = ['jackknife-95', 'week-95'];

/**
 * The calibration of the interval method of the ranking rules, and of others for comparison. The order of operators
 * makes no difference.
 *
 * @param operators For each operator, the days of all tools that were signed.
 * @param last The number of the last of the 90 days.
 */
export function calibrate(
  operators: Iterable<DaySeries>,
  { last, ruleset }: { last: number; ruleset: Ruleset },
): Pick<Calibration, 'method' | 'methods'> {
  const own = METHODS.find((method) => method === ruleset.interval) ?? null;
  const methods = new Set([...(own ? [own] : []), ...COMPARED]);
  const tallies = [...methods].map((method) => new Tally(method, ruleset));
  const middle = firstDayOf(SECOND, last);
  for (const series of operators) {
    // Cut apart, because the interval of a part must not depend on the days of the other.
    const first = seriesBetween(series, firstDayOf(WHOLE, last), middle - 1);
    const second = seriesBetween(series, middle, last);
    for (const tally of tallies) tally.add(first, second);
  }
  return { method: own, methods: tallies.map(({ result }) => result) };
}

/** Counts the operators whose parts agree, by one method. */
class Tally {
  readonly #method: IntervalMethod;
  readonly #ruleset: Ruleset;
  readonly #counts = CALIBRATED_METRICS.map((metric) => ({ metric, operators: 0, agreed: 0 }));

  constructor(method: IntervalMethod, ruleset: Ruleset) {
    this.#method = method;
    // How well intervals hold does not depend on which days were stated.
    this.#ruleset = withoutStatedDays(ruleset);
  }

  get result(): MethodCalibration {
    const agreements = this.#counts.map(({ metric, operators, agreed }) => {
      const percent = operators === 0 ? null : Math.round((1000 * agreed) / operators) / 10;
      return [metric, { operators, agreed, percent }];
    });
    return {
      method: this.#method,
      expected_percent: EXPECTED[this.#method],
      ...(Object.fromEntries(agreements) as Record<Calibrated, Agreement>),
    };
  }

  add(...series: readonly [first: DaySeries, second: DaySeries]): void {
    const [first, second] = series.map((part) => this.#standing(part));
    if (!first || !second) return;
    for (const count of this.#counts) {
      if (!this.#isEnough(first, count.metric) || !this.#isEnough(second, count.metric)) continue;
      count.operators += 1;
      if (doAgree(first, second, count.metric)) count.agreed += 1;
    }
  }

  /** The standing over all days of a part, which are also the history of its weeks. */
  #standing(part: DaySeries): Standing | null {
    return standingOf(part, -Infinity, Infinity, { ...this.#ruleset, interval: this.#method });
  }

  /** Whether a part alone would be ranked on a board of 30 days. A value of 0 has no logarithm. */
  #isEnough(part: Standing, metric: Calibrated): boolean {
    const asked = eligibilityIn(this.#ruleset, SECOND);
    return rankingValue(part, metric, asked) !== null && part.metrics[metric] !== 0;
  }
}

function doAgree(first: Standing, second: Standing, metric: Calibrated): boolean {
  const [a, b] = [measured(first, metric), measured(second, metric)];
  return Math.abs(a.theta - b.theta) <= Math.sqrt(a.half * a.half + b.half * b.half);
}

/** The estimate, and half the width of its interval: the distance to the lower bound, which is never null. */
function measured({ metrics, intervals }: Standing, metric: Calibrated) {
  const theta = Math.log(metrics[metric] ?? Number.NaN);
  return { theta, half: theta - Math.log(intervals[metric]?.[0] ?? Number.NaN) };
}
