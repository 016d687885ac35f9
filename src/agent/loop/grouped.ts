/** Daily counts by period, model or tool. */
import { NEWEST_RULESET } from '#core/domain/board/ruleset.ts';
import { dayNumber, weekName } from '#core/domain/counting/day.ts';
import { type DaySeries, seriesOf } from '#core/domain/metrics/day-series.ts';
import type { Interval } from '#core/domain/metrics/interval.ts';
import { standingOf, totalsOf } from '#core/domain/metrics/standing.ts';
import { sumPillars } from '#core/domain/counting/bucket.ts';
import { groupBy } from '#core/domain/text/group.ts';
import type { Totals } from '#core/schema/board.ts';
import type { Bucket } from '#core/schema/usage.ts';
import { usageOf } from './estimate.ts';

export const GROUPINGS = ['day', 'week', 'month', 'model', 'tool'] as const;
export type Grouping = (typeof GROUPINGS)[number];

/** The parts of a group's name. */
type GroupName = Readonly<Record<string, string>>;

export interface GroupedCounts {
  name: GroupName;
  totals: Totals;
  /** The number of days with tokens. */
  days: number;
  /** Null if undefined. */
  yield: number | null;
  /** Null if the yield is undefined, or if there are tokens on one day only. */
  interval: Interval | null;
}

const NAMES: Readonly<Record<Grouping, (bucket: Bucket) => GroupName>> = {
  day: ({ day }) => ({ day }),
  week: ({ day }) => ({ week: weekName(dayNumber(day)) }),
  month: ({ day }) => ({ month: day.slice(0, 7) }),
  model: ({ tool, provider, model }) => ({ tool, provider, model }),
  tool: ({ tool }) => ({ tool }),
};

/** The parts of the names in a grouping, in order. */
export const NAME_PARTS: Readonly<Record<Grouping, readonly string[]>> = {
  day: ['day'],
  week: ['week'],
  month: ['month'],
  model: ['tool', 'provider', 'model'],
  tool: ['tool'],
};

/**
 * Sums and yield of each group: periods oldest first, models and tools by tokens. Weeks begin on Monday (ISO 8601), and
 * all days are UTC days.
 *
 * @param buckets Their total is at most 2^53-1.
 */
export function groupedBy(buckets: readonly Bucket[], grouping: Grouping): GroupedCounts[] {
  const groups = groupBy(buckets, (bucket) => JSON.stringify(NAMES[grouping](bucket)));
  const isPeriod = grouping !== 'model' && grouping !== 'tool';
  // The interval of a period also depends on the days before it.
  const whole = isPeriod ? seriesOf(usageOf(buckets)) : null;
  const rows = Array.from(groups, ([name, those]) => {
    return countsOf(JSON.parse(name) as GroupName, those, whole);
  });
  const first = ({ name }: GroupedCounts) => name[grouping] ?? '';
  return isPeriod
    ? rows.sort((a, b) => (first(a) < first(b) ? -1 : 1))
    : rows.sort((a, b) => b.totals.total - a.totals.total);
}

function countsOf(
  name: GroupName,
  buckets: readonly Bucket[],
  whole: DaySeries | null,
): GroupedCounts {
  const series = seriesOf(usageOf(buckets));
  const [first = 0, last = first] = [series.all.day[0], series.all.day.at(-1)];
  const standing = standingOf(whole ?? series, first, last, NEWEST_RULESET);
  const days = series.all.day.length;
  return {
    name,
    totals: totalsOf(sumPillars(buckets)),
    days,
    yield: standing?.metrics.yield ?? null,
    interval: days > 1 ? (standing?.intervals.yield ?? null) : null,
  };
}
