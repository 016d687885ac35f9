import type { MetricName } from '#core/schema/record.ts';
import { sumPillars } from '../counting/bucket.ts';
import { BASIS, type Basis, reportsRead, reportsReadWrite } from './day-series.ts';
import { groupBy } from '../text/group.ts';
import type { DayCounts } from './day-series.ts';
import { exactMetric } from './metrics.ts';

/** The length of the trend line in a board's row, in days. */
export const TREND_DAYS = 30;

/** Additional data for a board's row. */
export interface RowDetails {
  /** The path of the operator's avatar. */
  avatar: string | null;
  /** The ranked metric on each of the last days, oldest first; null if these are not public. */
  trend: readonly (number | null)[] | null;
}

const IN_BASIS: Readonly<Record<Basis, (counts: DayCounts) => boolean>> = {
  all: () => true,
  read: reportsRead,
  read_write: reportsReadWrite,
};

/**
 * A metric's value on each of the {@linkcode TREND_DAYS} days up to `last`, over the buckets that report what it
 * needs. It is null on days without such buckets and if it is undefined.
 *
 * @param usage Counting buckets of one operator. Their total is at most 2^53-1.
 * @param last The last day's number.
 */
export function trendOf(
  usage: readonly DayCounts[],
  metric: MetricName,
  last: number,
): (number | null)[] {
  const byDay = groupBy(usage.filter(IN_BASIS[BASIS[metric]]), ({ day }) => day);
  return Array.from({ length: TREND_DAYS }, (_, index) => {
    const counts = byDay.get(last - TREND_DAYS + 1 + index);
    return counts ? exactMetric(metric, sumPillars(counts)) : null;
  });
}
