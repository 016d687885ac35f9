/**
 * Signal records: the highest conservative value of a metric over any 30 consecutive days, over signed counts of
 * all tools, with the requirements of the 30-day window.
 *
 * @module
 */
import type { MetricName } from '#core/schema/record.ts';
import { rankingValue } from './board.ts';
import { BASES, BASIS, type DaySeries, type DaySums, rangeOf } from '../metrics/day-series.ts';
import type { Interval } from '../metrics/interval.ts';
import { METRIC_NAMES, forEachMetric, plainMetric } from '../metrics/metrics.ts';
import { type Eligibility, type Ruleset, eligibilityIn } from './ruleset.ts';
import { shareFor, type StatedSpans } from './stated-share.ts';
import { type Standing, type StandingRules, standingOf } from '../metrics/standing.ts';

/** The length of a record in days. */
export const RECORD_DAYS = 30;

/** Counts that arrive more days after their day set no record. */
export const MAX_LATE_DAYS = 35;

/** A window that ended at most this many days ago cannot contain late counts. */
const NEVER_LATE_DAYS = MAX_LATE_DAYS - RECORD_DAYS + 1;

/** The result of 30 days by one metric. */
export interface RecordWindow {
  /** The conservative value, above 0. */
  value: number;
  interval: Interval;
  /** The number of the last day. */
  last: number;
}

/** The requirements for a record. */
interface RecordTerms {
  ruleset: Ruleset;
  /** The value that each metric must exceed. */
  above: Readonly<Record<MetricName, number>>;
  /** The stated days of the account; null if the rules require none. */
  stated: StatedSpans | null;
  /** Whether the counts of the 30 days up to `last` arrived on time. */
  isOnTime: (last: number) => boolean;
}

/**
 * An upper limit of each metric over the windows that ended before a day and that counts on time can still
 * change: their plain values, which no conservative value exceeds. 0 if no window qualifies.
 */
export function recordReach(
  series: DaySeries,
  day: number,
  eligibility: Eligibility,
): Record<MetricName, number> {
  const reach = forEachMetric(() => 0);
  eachWindow(series, day, eligibility, (metric, value) => {
    if (value > reach[metric]) reach[metric] = value;
  });
  return reach;
}

/** The best of those windows by each metric, if it exceeds `above`; else null. */
export function bestWindows(
  series: DaySeries,
  day: number,
  { ruleset, above, stated, isOnTime }: RecordTerms,
): Record<MetricName, RecordWindow | null> {
  const eligibility = eligibilityIn(ruleset, '30d');
  const best = forEachMetric((): RecordWindow | null => null);
  const ends = new Set<number>();
  eachWindow(series, day, eligibility, (metric, value, last) => {
    if (value > above[metric]) ends.add(last);
  });
  for (const last of ends) {
    const standing = recordStanding(series, last, { ruleset, stated });
    const isToCount = memo(() => last >= day - NEVER_LATE_DAYS || isOnTime(last));
    for (const metric of METRIC_NAMES) {
      const value = (standing && rankingValue(standing, metric, eligibility)) ?? 0;
      if (value <= (best[metric]?.value ?? above[metric]) || !isToCount()) continue;
      best[metric] = { value, interval: standing?.intervals[metric] as Interval, last };
    }
  }
  return best;
}

/** The standing in the window that ends with a day. */
function recordStanding(
  series: DaySeries,
  last: number,
  { ruleset, stated }: Pick<RecordTerms, 'ruleset' | 'stated'>,
): Standing | null {
  const first = last - RECORD_DAYS + 1;
  const standing = standingOf(series, first, last, ruleset);
  return standing && { ...standing, stated_days: shareFor(ruleset, stated, { first, last }) };
}

function memo<Value>(make: () => Value): () => Value {
  let made: { value: Value } | null = null;
  return () => (made ??= { value: make() }).value;
}

/** Tolerance for differences in the last digit between releases. */
const ROUNDING = 1e-9;

/** Whether the days of a record still reach its value. Later submissions may have lowered it. */
export function stillHolds(
  series: DaySeries,
  { metric, value, last }: { metric: MetricName; value: number; last: number },
  rules: StandingRules,
): boolean {
  const standing = standingOf(series, last - RECORD_DAYS + 1, last, rules);
  return (standing?.conservative[metric] ?? 0) >= value * (1 - ROUNDING);
}

/**
 * The record of a metric and the ones that it beat, newest first. Operators who beat their own record appear
 * once.
 *
 * @param records In the order in which they were set.
 */
export function recordChain<One extends { operator_id: number; value: number }>(
  records: readonly One[],
): One[] {
  const chain: One[] = [];
  for (const record of records) {
    const before = chain.at(-1);
    if (before && record.value <= before.value) continue;
    if (before?.operator_id === record.operator_id) chain.pop();
    chain.push(record);
  }
  return chain.toReversed();
}

/** The sums over the days of a window. */
interface Sums {
  input: number;
  output: number;
  cache_read: number;
  total: number;
}

const METRICS_OVER = Object.fromEntries(
  BASES.map((basis) => [basis, METRIC_NAMES.filter((metric) => BASIS[metric] === basis)]),
) as Record<(typeof BASES)[number], MetricName[]>;

/** Calls `visit` for each metric and window with enough tokens. The value is slightly above the exact one. */
function eachWindow(
  series: DaySeries,
  day: number,
  { total_tokens, output_tokens }: Eligibility,
  visit: (metric: MetricName, value: number, last: number) => void,
): void {
  for (const basis of BASES) {
    slide(series[basis], day, (sums, last) => {
      if (sums.input === 0 || sums.total < total_tokens || sums.output < output_tokens) return;
      for (const metric of METRICS_OVER[basis]) {
        visit(metric, plainMetric(metric, sums) * (1 + ROUNDING), last);
      }
    });
  }
}

/** Calls `visit` with the sums of each window. Counts are integers, so subtracting is exact. */
function slide(days: DaySums, day: number, visit: (sums: Sums, last: number) => void): void {
  const sums: Sums = { input: 0, output: 0, cache_read: 0, total: 0 };
  const add = (at: number, sign: 1 | -1) => {
    sums.input += sign * (days.input[at] as number);
    sums.output += sign * (days.output[at] as number);
    // NaN means that the day does not report the pillar.
    sums.cache_read += sign * ((days.cache_read[at] as number) || 0);
    sums.total += sign * (days.total[at] as number);
  };
  const earliest = day - MAX_LATE_DAYS;
  let { from, to } = rangeOf(days, earliest - RECORD_DAYS + 1, earliest - 1);
  for (let at = from; at < to; at += 1) add(at, 1);
  for (let last = earliest; last < day; last += 1) {
    for (; (days.day[to] ?? Infinity) <= last; to += 1) add(to, 1);
    for (; (days.day[from] ?? Infinity) <= last - RECORD_DAYS; from += 1) add(from, -1);
    visit(sums, last);
  }
}
