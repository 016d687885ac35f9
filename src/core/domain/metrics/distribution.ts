/** The distribution of operators over the values of a metric. */
import type { MetricName } from '#core/schema/record.ts';
import { MIN_FOR_MEDIAN, middleOf } from './median.ts';
import { axisPosition, axisValue, isLogarithmic, roundStep } from './metric-axis.ts';
import { significant } from './metrics.ts';

/** The values from `from` up to, but not including, `to`. The last bin includes `to`. */
export interface Bin {
  from: number;
  to: number;
  count: number;
}

/** The values of a metric, counted in bins. */
export interface Distribution {
  /** The number of operators. */
  total: number;
  /**
   * The median, and the medians of the lower and the upper half of the values. If their number is odd, the
   * middle value belongs to both halves (Tukey's hinges).
   */
  quartiles: [lower: number, median: number, upper: number];
  /** How many values are 0 and have no place on a logarithmic axis. Always 0 on a linear axis. */
  zeros: number;
  /** How many values are below and above the bins, if they span more powers of ten than a chart can show. */
  beyond: [below: number, above: number];
  /** Equally wide on the metric's axis, ascending, without gaps; empty if all values are 0. */
  bins: Bin[];
}

/** The most powers of ten that the bins of a ratio span. */
const MAX_DECADES = 6;
/** More bins would be finer than a chart can show. */
const MAX_BINS = 40;
/** The smallest width of a bin on its axis: a hundredth for snr, about 12% for ratios. */
const MIN_STEP = { snr: 0.01, other: 0.05 } as const;

/**
 * The distribution of a metric; null below five values, so that no single operator can be identified.
 *
 * Bins begin at multiples of their width, which is 1, 2 or 5 times a power of ten on the metric's axis: the
 * smallest that gives at most 3 n^(1/3) bins, and at most 40. If the values span more than six powers of ten, the
 * bins cover the six that contain the most values, rounded outwards to bins.
 *
 * @param values Finite, in any order. Not modified.
 */
export function distributionOf(metric: MetricName, values: Float64Array): Distribution | null {
  const ascending = values.map(significant).sort();
  const total = ascending.length;
  if (total < MIN_FOR_MEDIAN) return null;
  const half = Math.ceil(total / 2);
  const halves = [ascending.subarray(0, half), ascending.subarray(total - half)] as const;
  const placed = isLogarithmic(metric) ? ascending.filter((value) => value > 0) : ascending;
  const bins = binsOf(metric, placed);
  const [from, to] = [bins[0]?.from ?? 0, bins.at(-1)?.to ?? 0];
  return {
    total,
    quartiles: [middleOf(halves[0]), middleOf(ascending), middleOf(halves[1])],
    zeros: total - placed.length,
    beyond: [howMany(placed, (value) => value < from), howMany(placed, (value) => value > to)],
    bins,
  };
}

function howMany(values: Float64Array, is: (value: number) => boolean): number {
  return values.reduce((sum, value) => sum + Number(is(value)), 0);
}

/** The values that the bins cover. Of several ranges with equally many values, the highest. */
function mainStretch(metric: MetricName, ascending: Float64Array): Float64Array {
  let best: [number, number] = [0, 0];
  let from = 0;
  for (let to = 1; to <= ascending.length; to += 1) {
    const most = axisPosition(metric, ascending[to - 1] as number);
    while (most - axisPosition(metric, ascending[from] as number) > MAX_DECADES) from += 1;
    if (to - from >= best[1] - best[0]) best = [from, to];
  }
  return ascending.subarray(...best);
}

function binsOf(metric: MetricName, ascending: Float64Array): Bin[] {
  if (ascending.length === 0) return [];
  const edges = edgesOf(metric, mainStretch(metric, ascending));
  const bins = edges.slice(1).map((to, index) => ({ from: edges[index] as number, to, count: 0 }));
  const [low, high] = [edges[0] as number, edges.at(-1) as number];
  let at = 0;
  for (const value of ascending) {
    if (value < low || value > high) continue;
    while (at < bins.length - 1 && value >= (bins[at] as Bin).to) at += 1;
    (bins[at] as Bin).count += 1;
  }
  return bins;
}

/** The edges of the bins. */
function edgesOf(metric: MetricName, ascending: Float64Array): number[] {
  const ends = [ascending[0] as number, ascending.at(-1) as number] as const;
  const [lowest, highest] = ends.map((end) => axisPosition(metric, end)) as [number, number];
  const length = highest - lowest;
  const wanted = Math.min(MAX_BINS, Math.ceil(3 * Math.cbrt(ascending.length)));
  const least = metric === 'snr' ? MIN_STEP.snr : MIN_STEP.other;
  const step = Math.max(roundStep(length || least, wanted), least);
  const edge = (index: number) => axisValue(metric, index * step);
  const [first, last] = binRange(metric, ends, step);
  return Array.from({ length: last - first + 2 }, (_, index) => edge(first + index));
}

/** The numbers of the first and the last bin. A value on an edge needs no bin beyond it. */
function binRange(
  metric: MetricName,
  [least, most]: readonly [number, number],
  step: number,
): [number, number] {
  const edge = (index: number) => axisValue(metric, index * step);
  // Positions are inexact, so values are compared with the value of the edge.
  let first = Math.round(axisPosition(metric, least) / step);
  if (edge(first) > least) first -= 1;
  let last = Math.round(axisPosition(metric, most) / step);
  if (edge(last) >= most) last -= 1;
  // An snr is at most 1.
  if (metric === 'snr' && edge(first) >= 1) first -= 1;
  return [first, Math.max(first, last)];
}
