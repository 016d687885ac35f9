/** The axis that a chart's values lie along. */
import {
  axisPosition,
  axisValue,
  isLogarithmic,
  roundStep,
} from '#core/domain/metrics/metric-axis.ts';
import { significant } from '#core/domain/metrics/metrics.ts';
import type { MetricName } from '#core/schema/record.ts';
import { tickText } from './numbers.ts';
import type { Tick } from './scale.ts';

/** What is left free at a plot's left end, from 0 to 100, for the labels of the axis that runs up. */
export const GUTTER = 11;

/** Where a metric's values lie along a chart. */
export interface Axis {
  ticks: Tick[];
  /** From 0 to 100, beyond them outside; null for a value that has no place: null, and zero on a logarithmic axis. */
  at: (value: number | null) => number | null;
}

interface Wanted {
  metric: MetricName;
  /** What lies on it; what has no place there does not matter. */
  values: readonly (number | null)[];
  /** At most so many ticks. */
  ticks?: number;
  /** How much is left free at both ends, of the values' length. */
  margin?: number;
  /** Where it begins, from 0 to 100. */
  from?: number;
  /** The least that it spans, so that values that hardly differ look so: powers of ten where it is logarithmic. */
  span?: number;
}

const LEAST_SPAN: Readonly<Record<MetricName, number>> = {
  yield: 0.5,
  leverage: 0.5,
  velocity: 0.5,
  snr: 0.1,
  dev10x: 0.5,
};
const MANY = 6;
/** The values of a decade that a logarithmic axis may mark, densest first. */
const WITHIN_DECADE = [[1, 2, 5], [1, 3], [1]] as const;

/** The axis of a metric around some values. */
export function axisOf({
  metric,
  values,
  ticks = MANY,
  margin = 0,
  from = 0,
  span = LEAST_SPAN[metric],
}: Wanted): Axis {
  const positions = values.flatMap((value) => {
    const position = value === null ? Number.NaN : axisPosition(metric, value);
    return Number.isFinite(position) ? [position] : [];
  });
  if (positions.length === 0) return { ticks: [], at: () => null };
  const [low, high] = rangeOf(metric, positions, { margin, span });
  const place = (position: number) => from + ((position - low) / (high - low)) * (100 - from);
  const marks = tickValues(metric, [low, high], ticks);
  return {
    ticks: marks.map((value) => ({
      at: place(axisPosition(metric, value)),
      label: tickText(value),
    })),
    at: (value) => {
      const position = value === null ? Number.NaN : axisPosition(metric, value);
      return Number.isFinite(position) ? place(position) : null;
    },
  };
}

/** What is printed at an axis. */
export function axisTitle(metric: MetricName, label: string): string {
  return isLogarithmic(metric) ? `${label}, log scale` : label;
}

/** The ends of an axis, as positions. */
function rangeOf(
  metric: MetricName,
  positions: readonly number[],
  { margin, span }: { margin: number; span: number },
): [low: number, high: number] {
  const least = positions.reduce((a, b) => Math.min(a, b));
  const most = positions.reduce((a, b) => Math.max(a, b));
  const spare = Math.max((most - least) * margin, (span - (most - least)) / 2);
  const [low, high] = [least - spare, most + spare];
  // An snr is a share: there is nothing beyond its ends.
  return metric === 'snr' ? [Math.max(low, 0), Math.min(high, 1)] : [low, high];
}

/** Round values inside a range, as many as wanted at most. */
function tickValues(metric: MetricName, range: readonly [number, number], most: number): number[] {
  if (!isLogarithmic(metric)) return multiples(range, roundStep(range[1] - range[0], most));
  const values = [axisValue(metric, range[0]), axisValue(metric, range[1])] as const;
  const inside = (value: number) => value >= values[0] && value <= values[1];
  const within = WITHIN_DECADE.map((factors) => timesPowers(factors, range).filter(inside));
  if (range[1] - range[0] < 1 && (within[0] ?? []).length < 3) {
    return multiples(values, roundStep(values[1] - values[0], most));
  }
  const fitting = within.find(({ length }) => length <= most);
  if (fitting) return fitting;
  const step = Math.max(1, Math.ceil((range[1] - range[0]) / most));
  return decades(range, step).filter(inside);
}

function timesPowers(factors: readonly number[], range: readonly [number, number]): number[] {
  return decades(range, 1).flatMap((power) => factors.map((factor) => significant(factor * power)));
}

/** Every `step`th power of ten around a range. */
function decades([low, high]: readonly [number, number], step: number): number[] {
  const first = Math.floor(low / step);
  const count = Math.ceil(high / step) - first + 1;
  return Array.from({ length: count }, (_, index) => significant(10 ** ((first + index) * step)));
}

function multiples([low, high]: readonly [number, number], step: number): number[] {
  const first = Math.ceil(low / step - 1e-9);
  const count = Math.max(0, Math.floor(high / step + 1e-9) - first + 1);
  return Array.from({ length: count }, (_, index) => significant((first + index) * step) + 0);
}
