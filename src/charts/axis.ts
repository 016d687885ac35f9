/** The axes of charts. */
import { dayNumber } from '#core/domain/counting/day.ts';
import {
  axisPosition,
  axisValue,
  isLogarithmic,
  roundStep,
} from '#core/domain/metrics/metric-axis.ts';
import { significant } from '#core/domain/metrics/metrics.ts';
import type { MetricName } from '#core/schema/record.ts';
import { dateText, tickText } from './numbers.ts';
import type { Tick } from './scale.ts';

/** Space at the left of a plot for the labels of the vertical axis, in percent of the width. */
export const GUTTER = 11;

export interface Axis {
  ticks: Tick[];
  /** 0 to 100, or beyond for values off the axis; null for null, and for zero on a logarithmic axis. */
  at: (value: number | null) => number | null;
}

interface Wanted {
  metric: MetricName;
  /** The values to cover. */
  values: readonly (number | null)[];
  ticks?: number;
  /** Free space at both ends, as a share of the values' span. */
  margin?: number;
  from?: number;
  /** The smallest span, so that small differences look small: in powers of ten on a logarithmic axis. */
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
/** Values of a decade that a logarithmic axis may label, densest first. */
const WITHIN_DECADE = [[1, 2, 5], [1, 3], [1]] as const;

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

export function axisTitle(metric: MetricName, label: string): string {
  return isLogarithmic(metric) ? `${label}, log scale` : label;
}

function rangeOf(
  metric: MetricName,
  positions: readonly number[],
  { margin, span }: { margin: number; span: number },
): [low: number, high: number] {
  const least = positions.reduce((a, b) => Math.min(a, b));
  const most = positions.reduce((a, b) => Math.max(a, b));
  const spare = Math.max((most - least) * margin, (span - (most - least)) / 2);
  const [low, high] = [least - spare, most + spare];
  // SNR is a share, so the axis ends at 0 and 1.
  return metric === 'snr' ? [Math.max(low, 0), Math.min(high, 1)] : [low, high];
}

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

export interface TimeAxis {
  ticks: Tick[];
  /** 0 to 100, or beyond for dates off the axis. */
  at: (date: string) => number;
}

/** Longer axes are labeled by month. */
const MAX_DAYS = 300;
/** How many day labels, or month labels with a year, fit on a phone. */
const TICKS = { day: 4, month: 3 } as const;
/** The position of a single day. */
const MIDDLE = 0.5;

/** The axis of some days, oldest first, each `YYYY-MM-DD`. */
export function timeAxis(dates: readonly string[]): TimeAxis {
  const start = dayNumber(dates[0] ?? '');
  const days = dayNumber(dates.at(-1) ?? '') - start;
  const part = (date: string) => (days > 0 ? (dayNumber(date) - start) / days : MIDDLE);
  const at = (date: string) => GUTTER + part(date) * (100 - GUTTER);
  const style = days > MAX_DAYS ? 'month' : 'day';
  const ticks = spaced(dates, TICKS[style]).map((date) => ({
    at: at(date),
    label: dateText(date, style),
  }));
  return { ticks, at };
}

function spaced(dates: readonly string[], most: number): string[] {
  const last = dates.length - 1;
  const wanted = Math.min(most, dates.length);
  const indexes = Array.from({ length: wanted }, (_, index) =>
    Math.round((index * last) / Math.max(wanted - 1, 1)),
  );
  return indexes.flatMap((index) => dates[index] ?? []);
}

/** Adjacent points of a line, without a gap between them. */
export interface Run {
  start: number;
  places: number[];
}

/** Splits a line at null values. */
export function runsOf(places: readonly (number | null)[]): Run[] {
  const runs: Run[] = [];
  places.forEach((place, index) => {
    if (place === null) return;
    const run = runs.at(-1);
    if (run && run.start + run.places.length === index) run.places.push(place);
    else runs.push({ start: index, places: [place] });
  });
  return runs;
}
