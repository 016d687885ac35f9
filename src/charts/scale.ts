/** The scale of a column of values and intervals. */
import { axisPosition } from '#core/domain/metrics/metric-axis.ts';
import type { MetricName } from '#core/schema/record.ts';
import { tickText } from './numbers.ts';

export interface Tick {
  /** From 0 (left) to 100 (right). */
  at: number;
  label: string;
}

export interface Measured {
  value: number | null;
  /** The number that ranks, within the interval; null if there is none. */
  conservative: number | null;
  /** The upper bound is null if there is none. */
  interval: readonly [number, number | null] | null;
}

/** The position of a value and its interval on a scale, 0 to 100. */
export interface Mark {
  /** Null if the value is not on the scale. */
  dot: number | null;
  /** The part of the interval that is on the scale; null if there is none. */
  bar: readonly [number, number] | null;
  /** The conservative value, by which operators are ranked; null if it is off the scale. */
  low: number | null;
  /** The side on which the value is off the scale; null if it is on it. */
  beyond: 'above' | 'below' | null;
}

export interface Scale {
  ticks: Tick[];
  note: string;
  mark: (measured: Measured) => Mark;
}

/** The most labels that fit. */
const MAX_LABELS = 6;

/** The most decades at which intervals remain visible; values beyond get an arrow. */
const MAX_DECADES = 6;

/** How far intervals may widen a scale, in decades, so that one wide interval does not squeeze the others. */
const MAX_BELOW = 2;
const MAX_ABOVE = 1;

/** The scale for a metric's values: up to `most` powers of ten that contain most of them. */
export function scaleOf(
  metric: MetricName,
  column: readonly Measured[],
  most = MAX_DECADES,
): Scale {
  if (metric === 'snr') {
    return linear([0, 0.25, 0.5, 0.75, 1], 'Dot: the measured value, between 0 and 1.');
  }
  if (metric === 'dev10x') {
    const marks = spanOf(column, (value) => value, most);
    return linear(
      marks,
      'Dot: the measured value. Each tick is ten times the leverage of the one before.',
    );
  }
  const decadeOf = (value: number) => axisPosition(metric, value);
  const decades = spanOf(column, decadeOf, most);
  const { ticks, mark } = linear(decades, '');
  return {
    ticks: ticks.map(({ at }, index) => ({ at, label: tickText(10 ** (decades[index] ?? 0)) })),
    note: 'Dot: the measured value. Log scale: each tick is ten times the one before.',
    mark: ({ value, conservative, interval }) => {
      const placed = (one: number | null) => (one === null ? null : decadeOf(one));
      const ends = interval && ([decadeOf(interval[0]), placed(interval[1])] as const);
      return mark({ value: placed(value), conservative: placed(conservative), interval: ends });
    },
  };
}

/** The labels to print: the first, and as many others as fit. */
export function labelled(ticks: readonly Tick[], most = MAX_LABELS): Tick[] {
  const step = Math.ceil((ticks.length - 1) / (most - 1));
  return ticks.filter((_, index) => index % step === 0);
}

/** The whole numbers around most values and, if there is room, their intervals; at least two. */
function spanOf(
  column: readonly Measured[],
  position: (value: number) => number,
  room: number,
): number[] {
  const finite = (value: number | null | undefined) => {
    const at = value == null ? Number.NEGATIVE_INFINITY : position(value);
    return Number.isFinite(at) ? [at] : [];
  };
  const start = fullest(column.flatMap(({ value }) => finite(value)).map(Math.floor), room);
  const isWithin = (at: number) => at >= start && at <= start + room;
  const shown = column.filter(({ value }) => finite(value).some(isWithin));
  const values = shown.flatMap(({ value }) => finite(value));
  const least = Math.min(...values, values[0] ?? 0);
  const most = Math.max(...values, least);
  const lows = shown.flatMap(({ interval }) => finite(interval?.[0]));
  const highs = shown.flatMap(({ interval }) => finite(interval?.[1]));
  const low = Math.floor(Math.max(Math.min(least, ...lows), least - MAX_BELOW));
  const high = Math.max(Math.ceil(Math.min(Math.max(most, ...highs), most + MAX_ABOVE)), low + 1);
  return Array.from({ length: high - low + 1 }, (_, index) => low + index);
}

/** The start of the range that contains the most positions; the highest of several. */
function fullest(places: readonly number[], length: number): number {
  const held = (start: number) => places.filter((at) => at >= start && at < start + length).length;
  const starts = [...new Set(places)].sort((a, b) => b - a);
  return starts.reduce((best, start) => (held(start) > held(best) ? start : best), starts[0] ?? 0);
}

function linear(marks: readonly number[], note: string): Scale {
  const low = marks[0] ?? 0;
  const high = marks.at(-1) ?? 1;
  const at = (value: number) => Math.round(((value - low) / (high - low)) * 1000) / 10;
  const sideOf = (value: number) => (value < low ? 'below' : value > high ? 'above' : null);
  const onScale = (value: number) => (sideOf(value) === null ? at(value) : null);
  return {
    ticks: marks.map((mark) => ({ at: at(mark), label: String(mark) })),
    note,
    mark: ({ value, conservative, interval }) => {
      const dot = value === null ? null : onScale(value);
      const beyond = value === null ? null : sideOf(value);
      if (interval === null) return { dot, bar: null, low: null, beyond };
      const [from, to] = interval;
      const end = to === null ? 100 : Math.min(100, at(to));
      const isNear = end > 0 && from < high;
      const bar = isNear ? ([Math.max(0, at(from)), end] as const) : null;
      return { dot, bar, low: conservative === null ? null : onScale(conservative), beyond };
    },
  };
}
