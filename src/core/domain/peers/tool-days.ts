/** Days of one tool, on which an operator's habits are measured. */
import type { Pillars } from '#core/schema/usage.ts';
import { sumPillars, totalOf } from '../counting/bucket.ts';
import type { DayUsage } from '../metrics/day-series.ts';
import { unroundedMetric } from '../metrics/metrics.ts';
import { groupBy } from '../text/group.ts';
import { type Leak, type LeakCounts, ratioOf } from './leaks.ts';

/** A day with enough tokens of a tool, on which yield and the leak's ratio are defined. */
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
 * @param least The fewest tokens of a day.
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

/** The days that a leak examines. A short day has less than half the tokens of the median day. */
export function concernedDays(days: readonly MeasuredDay[], { days: kind }: Leak): MeasuredDay[] {
  const rising = days.map(({ total }) => total).sort((a, b) => a - b);
  const half = (rising[rising.length >> 1] ?? 0) / 2;
  return days.filter(({ total }) => kind === 'all' || total < half === (kind === 'short'));
}

/** The value that at least a quarter of the values reach. It is one of them. */
export function bestQuartile(values: readonly number[]): number {
  const falling = [...values].sort((a, b) => b - a);
  return falling[Math.ceil(falling.length / 4) - 1] ?? 0;
}

/** The model with the most tokens of a pillar on a day. In a tie, the smaller name. */
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

/** Half the largest distance between similar days, in ln. They differ by at most a factor of three. */
const REACH = Math.log(3) / 2;
/** The share of variance that the best split of one normal distribution into two explains. */
const SPLIT_OF_ONE = 2 / Math.PI;
/** The additional share that chance explains in one of a hundred samples of n days, times the square root of n. */
const SPLIT_CHANCE = 0.9;

/**
 * Groups similar days, largest group first. Days are similar if they agree in everything that the leak's change
 * keeps, because they then did similar work. The day with the most similar days forms the first group with them,
 * then the same is done with the rest.
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
 * Whether values form two groups, more clearly than chance would produce from one group. Days of a single habit have
 * a best quarter too, but nobody can make all days like it.
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
