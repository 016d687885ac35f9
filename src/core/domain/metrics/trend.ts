import type { MetricName } from '#core/schema/record.ts';
import { sumPillars } from '../counting/bucket.ts';
import { BASIS, type Basis, reportsRead, reportsReadWrite } from './day-series.ts';
import { groupBy } from '../text/group.ts';
import type { DayCounts } from './day-series.ts';
import { exactMetric } from './metrics.ts';

/** How many days the line in a board's row spans. */
export const TREND_DAYS = 30;

/** What a board's row shows besides the board. */
export interface RowDetails {
  /** The path of the picture that an operator shows. */
  avatar: string | null;
  /** The ranked metric on each of the last days, oldest first; null where these are not public. */
  trend: readonly (number | null)[] | null;
}

const IN_BASIS: Readonly<Record<Basis, (counts: DayCounts) => boolean>> = {
  all: () => true,
  read: reportsRead,
  read_write: reportsReadWrite,
};

/**
 * A metric's value on each of the {@linkcode TREND_DAYS} days that end with `last`, over the buckets that
 * report what it needs; null on a day without them, and where it is undefined.
 *
 * @param usage Counting buckets of one operator; their total is at most 2^53-1.
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
