/**
 * Signal records: the highest conservative value of a metric over any 30 consecutive days, of all tools,
 * signed, by the rules that make eligible in 30 days.
 *
 * @module
 */
import type { MetricName } from '#core/schema/record.ts';
import { rankingValue } from './board.ts';
import { BASES, BASIS, type DaySeries, type DaySums, rangeOf } from '../metrics/day-series.ts';
import type { Interval } from '../metrics/interval.ts';
import { METRIC_NAMES, forEachMetric, plainMetric } from '../metrics/metrics.ts';
import { type Eligibility, type Ruleset, eligibilityIn } from './ruleset.ts';
import { standingOf } from '../metrics/standing.ts';

/** The days of a record. */
export const RECORD_DAYS = 30;

/** What came in more days after the day that it speaks of sets no record. */
export const MAX_LATE_DAYS = 35;

/** A window that ended at most so many days ago holds nothing late, whenever it came in. */
const NEVER_LATE_DAYS = MAX_LATE_DAYS - RECORD_DAYS + 1;

/** What 30 days give by a metric. */
export interface RecordWindow {
  /** The conservative value, above 0. */
  value: number;
  interval: Interval;
  /** The number of the last of the days. */
  last: number;
}

/** What is asked of a window that is to set a record. */
interface RecordTerms {
  ruleset: Ruleset;
  /** What each metric has to exceed. */
  above: Readonly<Record<MetricName, number>>;
  /** Whether the days up to a last one came in on time. */
  isOnTime: (last: number) => boolean;
}

/**
 * What each metric can be at most in the windows that ended before a day and that something on time can
 * still change: their plain values, which no conservative value exceeds. 0 where no window can count.
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

/** The best that each metric has in those windows, where that is enough; else null. */
export function bestWindows(
  series: DaySeries,
  day: number,
  { ruleset, above, isOnTime }: RecordTerms,
): Record<MetricName, RecordWindow | null> {
  const eligibility = eligibilityIn(ruleset, '30d');
  const best = forEachMetric((): RecordWindow | null => null);
  const ends = new Set<number>();
  eachWindow(series, day, eligibility, (metric, value, last) => {
    if (value > above[metric]) ends.add(last);
  });
  for (const last of ends) {
    const first = last - RECORD_DAYS + 1;
    const standing = standingOf(series, first, last, ruleset.active_day_tokens);
    const isToCount = memo(() => last >= day - NEVER_LATE_DAYS || isOnTime(last));
    for (const metric of METRIC_NAMES) {
      const value = (standing && rankingValue(standing, metric, eligibility)) ?? 0;
      if (value <= (best[metric]?.value ?? above[metric]) || !isToCount()) continue;
      best[metric] = { value, interval: standing?.intervals[metric] as Interval, last };
    }
  }
  return best;
}

function memo<Value>(make: () => Value): () => Value {
  let made: { value: Value } | null = null;
  return () => (made ??= { value: make() }).value;
}

/** Lets the last digit of a value come from another release's arithmetic. */
const ROUNDING = 1e-9;

/** Whether the days of a record still give what it was set with: what came later may have lowered it. */
export function stillHolds(
  series: DaySeries,
  { metric, value, last }: { metric: MetricName; value: number; last: number },
): boolean {
  const standing = standingOf(series, last - RECORD_DAYS + 1, last, 0);
  const low = standing?.intervals[metric]?.[0] ?? 0;
  return low >= value * (1 - ROUNDING);
}

/**
 * The record of a metric and those that were beaten on the way to it, newest first. Who beats an own
 * record stands once.
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

/** What the days of a window add up to. */
interface Sums {
  input: number;
  output: number;
  cache_read: number;
  total: number;
}

const METRICS_OVER = Object.fromEntries(
  BASES.map((basis) => [basis, METRIC_NAMES.filter((metric) => BASIS[metric] === basis)]),
) as Record<(typeof BASES)[number], MetricName[]>;

/** Calls for each metric and window with enough tokens, with its value a little above the exact one. */
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

/** Calls with the sums of each window that differs from the one before; counts are exact, so taking away is too. */
function slide(days: DaySums, day: number, visit: (sums: Sums, last: number) => void): void {
  const sums: Sums = { input: 0, output: 0, cache_read: 0, total: 0 };
  const add = (at: number, sign: 1 | -1) => {
    sums.input += sign * (days.input[at] as number);
    sums.output += sign * (days.output[at] as number);
    // A day that does not report the pillar adds nothing to it.
    sums.cache_read += sign * ((days.cache_read[at] as number) || 0);
    sums.total += sign * (days.total[at] as number);
  };
  const earliest = day - MAX_LATE_DAYS;
  let { from, to } = rangeOf(days, earliest - RECORD_DAYS + 1, earliest - 1);
  for (let at = from; at < to; at += 1) add(at, 1);
  for (let last = earliest; last < day; last += 1) {
    let isOther = last === earliest;
    for (; (days.day[to] ?? Infinity) <= last; to += 1, isOther = true) add(to, 1);
    for (; (days.day[from] ?? Infinity) <= last - RECORD_DAYS; from += 1, isOther = true) {
      add(from, -1);
    }
    if (isOther) visit(sums, last);
  }
}
