/** The scale that a column of values and their intervals is drawn on. */
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
  /** Its upper end is null where nothing bounds it. */
  interval: readonly [number, number | null] | null;
}

/** Where a value and its interval lie on a scale, from 0 to 100. */
export interface Mark {
  /** Null for a value that has no place. */
  dot: number | null;
  /** The interval as far as the scale reaches; null without one. */
  bar: readonly [number, number] | null;
  /** The lower end of the interval, by which operators rank; null where the scale does not reach it. */
  low: number | null;
  /** On which side of the scale the value lies, if it lies beyond it. */
  beyond: 'above' | 'below' | null;
}

export interface Scale {
  ticks: Tick[];
  note: string;
  mark: (measured: Measured) => Mark;
}

/** More labels than this do not fit. */
const MAX_LABELS = 6;

/** A scale of more decades than this shows no interval any more: what lies beyond is only pointed at. */
const MAX_DECADES = 6;

/** How far intervals may widen a scale, in decades: a very unsure one would leave the others no room. */
const MAX_BELOW = 2;
const MAX_ABOVE = 1;

/** The scale for one metric's values: the `most` powers of ten that hold most of them. */
export function scaleOf(
  metric: MetricName,
  column: readonly Measured[],
  most = MAX_DECADES,
): Scale {
  if (metric === 'snr') {
    return linear([0, 0.25, 0.5, 0.75, 1], 'The dot is the value, between 0 and 1.');
  }
  if (metric === 'dev10x') {
    const marks = spanOf(column, (value) => value, most);
    return linear(
      marks,
      'The dot is the value; each tick is ten times the leverage of the one before it.',
    );
  }
  const decadeOf = (value: number) => axisPosition(metric, value);
  const decades = spanOf(column, decadeOf, most);
  const { ticks, mark } = linear(decades, '');
  return {
    ticks: ticks.map(({ at }, index) => ({ at, label: tickText(10 ** (decades[index] ?? 0)) })),
    note: 'The dot is the value; each tick is ten times the one before it.',
    mark: ({ value, interval }) => {
      const high = interval?.[1] ?? null;
      const ends =
        interval && ([decadeOf(interval[0]), high === null ? null : decadeOf(high)] as const);
      return mark({ value: value === null ? null : decadeOf(value), interval: ends });
    },
  };
}

/** Which labels to print: the first, and as many others as fit. */
export function labelled(ticks: readonly Tick[], most = MAX_LABELS): Tick[] {
  const step = Math.ceil((ticks.length - 1) / (most - 1));
  return ticks.filter((_, index) => index % step === 0);
}

/** The whole numbers around most values and, as far as there is room, their intervals; at least two. */
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

/** Where a stretch begins that holds most of some places; of several the highest. */
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
    mark: ({ value, interval }) => {
      const dot = value === null ? null : onScale(value);
      const beyond = value === null ? null : sideOf(value);
      if (interval === null) return { dot, bar: null, low: null, beyond };
      const [from, to] = interval;
      const end = to === null ? 100 : Math.min(100, at(to));
      const isNear = end > 0 && from < high;
      const bar = isNear ? ([Math.max(0, at(from)), end] as const) : null;
      return { dot, bar, low: onScale(from), beyond };
    },
  };
}
