/** An operator's history by day or week. */
import type { Totals } from '#core/schema/board.ts';
import type { Metrics } from '#core/schema/record.ts';
import { sumPillars, totalOf } from '../counting/bucket.ts';
import { mondayOf } from '../counting/day.ts';
import { groupBy } from '../text/group.ts';
import type { DayCounts } from './day-series.ts';
import { metricsOf, totalsOf } from './standing.ts';

/** The length of one point of a history. Weeks begin on Monday (ISO 8601). */
export type HistoryInterval = 'day' | 'week';

/** The sums and metrics of one day or week. */
export interface HistoryPeriod {
  /** The number of the day, or of the week's Monday. */
  first: number;
  /** The number of the day, or of the week's Sunday. */
  last: number;
  totals: Totals;
  /** Over this period only, to 12 significant digits, each over the buckets that report what it needs. */
  metrics: Metrics;
}

const WEEK_DAYS = 7;

/**
 * The days or weeks (ISO 8601, Monday first) with tokens, oldest first. A week contains only the given days: if a
 * window begins within a week, only the days in the window.
 *
 * @param usage Counting buckets, sorted by day; their total is at most 2^53-1.
 */
export function historyOf(usage: readonly DayCounts[], interval: HistoryInterval): HistoryPeriod[] {
  const length = interval === 'week' ? WEEK_DAYS : 1;
  const periods = groupBy(usage, ({ day }) => (interval === 'week' ? mondayOf(day) : day));
  return [...periods]
    .filter(([, buckets]) => buckets.some((bucket) => totalOf(bucket) > 0))
    .map(([first, buckets]) => ({
      first,
      last: first + length - 1,
      totals: totalsOf(sumPillars(buckets)),
      metrics: metricsOf(buckets),
    }));
}

/**
 * The numbers of the first days of all periods, from the one with `first` to the one with `last`. Unlike
 * {@linkcode historyOf}, it includes empty periods.
 */
export function periodsBetween(first: number, last: number, interval: HistoryInterval): number[] {
  const length = interval === 'week' ? WEEK_DAYS : 1;
  const start = interval === 'week' ? mondayOf(first) : first;
  const periods = Math.max(0, Math.floor((last - start) / length) + 1);
  return Array.from({ length: periods }, (_, index) => start + index * length);
}
