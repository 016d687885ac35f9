/** Days of one tool, on which somebody's habits are measured. */
import type { Pillars } from '#core/schema/usage.ts';
import { sumPillars, totalOf } from '../counting/bucket.ts';
import type { DayUsage } from '../metrics/day-series.ts';
import { unroundedMetric } from '../metrics/metrics.ts';
import { groupBy } from '../text/group.ts';
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

/** How far days of one kind may be apart, in ln: a factor of three. */
const REACH = Math.log(3) / 2;
/** What the best split of one normal distribution into two explains of its variance. */
const SPLIT_OF_ONE = 2 / Math.PI;
/** How much more it explains by chance in one of a hundred samples of n days, times the root of n. */
const SPLIT_CHANCE = 0.9;

/**
 * Days by kind, the largest first. What a change keeps is what the work asked for: days of a kind are near
 * each other in all of it. The day with most such neighbours begins a kind, then the next one among the rest.
 */
export function kindsOf(days: readonly MeasuredDay[], leak: Leak): MeasuredDay[][] {
  const places = days.map(({ counts }) => leak.kept(counts).map((kept) => Math.log(kept + 1)));
  const areNear = (a: number, b: number) =>
    (places[a] as number[]).every((at, axis) => Math.abs(at - (places[b]?.[axis] ?? 0)) <= REACH);
  const left = new Set(days.keys());
  const nearOf = (a: number) => [...left].filter((b) => areNear(a, b));
  const counts = days.map((_, a) => nearOf(a).length);
  const kinds: MeasuredDay[][] = [];
  while (left.size > 0) {
    let middle = -1;
    for (const a of left) if ((counts[a] ?? 0) > (counts[middle] ?? 0)) middle = a;
    const kind = nearOf(middle);
    for (const a of kind) left.delete(a);
    for (const a of left) counts[a] = (counts[a] ?? 0) - kind.filter((b) => areNear(a, b)).length;
    kinds.push(kind.map((a) => days[a] as MeasuredDay));
  }
  return kinds.sort((a, b) => b.length - a.length);
}

/**
 * Whether values fall into two groups, more clearly than chance makes those of one group do: days of one
 * habit have a best quarter too, and coming up to that is no change that anybody can make.
 */
export function fallInTwo(values: readonly number[]): boolean {
  const n = values.length;
  const logs = values.map((value) => Math.log(Math.max(value, 1e-12))).sort((a, b) => a - b);
  const mean = logs.reduce((sum, value) => sum + value, 0) / n;
  const whole = logs.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  let [below, between] = [0, 0];
  logs.slice(0, -1).forEach((value, index) => {
    below += value - mean;
    between = Math.max(between, (below ** 2 * n) / ((index + 1) * (n - index - 1)));
  });
  return between > whole * (SPLIT_OF_ONE + SPLIT_CHANCE / Math.sqrt(n));
}
