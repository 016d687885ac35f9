/** Days of one tool, on which somebody's habits are measured. */
import type { Pillars } from '#core/schema/usage.ts';
import { sumPillars, totalOf } from '../counting/bucket.ts';
import type { DayUsage } from '../metrics/day-series.ts';
import { groupBy } from '../text/group.ts';
import { unroundedMetric } from '../metrics/metrics.ts';
import { type Leak, type LeakCounts, ratioOf } from './leaks.ts';

/** A day with enough tokens of a tool on which a leak's ratio, and yield, are defined. */
export interface MeasuredDay {
  day: number;
  counts: LeakCounts;
  total: number;
  ratio: number;
  yield: number;
  buckets: readonly DayUsage[];
}

/**
 * The days of a tool on which a leak can be measured, oldest first.
 *
 * @param usage The tool's buckets.
 * @param least The fewest tokens of a day that counts.
 */
export function toolDays(usage: readonly DayUsage[], leak: Leak, least: number): MeasuredDay[] {
  const byDay = groupBy(usage.filter(leak.reports), ({ day }) => day);
  return [...byDay]
    .sort(([a], [b]) => a - b)
    .flatMap(([day, buckets]) => {
      const counts = sumPillars(buckets);
      const total = totalOf(counts);
      const ratio = ratioOf(leak.ratio, counts);
      const value = unroundedMetric('yield', counts);
      if (total < least || ratio === null || value === null || !hasReads(counts)) return [];
      return [{ day, counts, total, ratio, yield: value, buckets }];
    });
}

/** The days that a leak looks at: a short one has less than half the tokens of the middle one. */
export function concernedDays(days: readonly MeasuredDay[], { days: kind }: Leak): MeasuredDay[] {
  const rising = days.map(({ total }) => total).sort((a, b) => a - b);
  const half = (rising[rising.length >> 1] ?? 0) / 2;
  return days.filter(({ total }) => kind === 'all' || total < half === (kind === 'short'));
}

/** What a quarter of the values reach, at least: itself one of them. */
export function bestQuartile(values: readonly number[]): number {
  const falling = [...values].sort((a, b) => b - a);
  return falling[Math.ceil(falling.length / 4) - 1] ?? 0;
}

/** The model with most tokens of a pillar on a day; the smaller name of equal ones. */
export function mainModel({ buckets }: MeasuredDay, pillar: 'cache_write' | 'input'): string {
  const tokens = new Map<string, number>();
  for (const { source, ...counts } of buckets) {
    tokens.set(source.model, (tokens.get(source.model) ?? 0) + (counts[pillar] ?? 0));
  }
  const [first] = [...tokens].sort(([a, ofA], [b, ofB]) => ofB - ofA || (a < b ? -1 : 1));
  return first?.[0] ?? '';
}

function hasReads(counts: Pillars): counts is LeakCounts {
  return counts.cache_read !== null;
}
