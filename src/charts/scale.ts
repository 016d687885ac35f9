/** The scale that a column of values and their intervals is drawn on. */
import type { MetricName } from '#core/schema/record.ts';

export interface Tick {
  /** From 0 (left) to 100 (right). */
  at: number;
  label: string;
}

/** A value with its interval. */
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
}

export interface Scale {
  ticks: Tick[];
  /** What the reader must know to read it. */
  note: string;
  mark: (measured: Measured) => Mark;
}

/** More labels than this do not fit. */
const MAX_LABELS = 6;

/** How far intervals may widen a scale, in decades: a very unsure one would leave the others no room. */
const MAX_BELOW = 2;
const MAX_ABOVE = 1;

const UNITS = ['', 'k', 'M', 'G', 'T'];

/** The scale for one metric's values. */
export function scaleOf(metric: MetricName, column: readonly Measured[]): Scale {
  if (metric === 'snr') {
    return linear([0, 0.25, 0.5, 0.75, 1], 'The dot is the value, between 0 and 1.');
  }
  if (metric === 'dev10x') {
    const marks = spanOf(column, (value) => value);
    return linear(
      marks,
      'The dot is the value; each tick is ten times the leverage of the one before it.',
    );
  }
  const decades = spanOf(column, decadeOf);
  const { ticks, mark } = linear(decades, '');
  return {
    ticks: ticks.map(({ at }, index) => ({ at, label: decadeText(decades[index] ?? 0) })),
    note: 'The dot is the value; each tick is ten times the one before it.',
    mark: ({ value, interval }) => {
      const high = interval?.[1] ?? null;
      const ends =
        interval && ([decadeOf(interval[0]), high === null ? null : decadeOf(high)] as const);
      return mark({ value: value === null ? null : decadeOf(value), interval: ends });
    },
  };
}

/** Which labels to print: the first, the last, and as many between as fit. */
export function labelled(ticks: readonly Tick[]): Tick[] {
  const step = Math.ceil((ticks.length - 1) / (MAX_LABELS - 1));
  return ticks.filter((_, index) => index % step === 0);
}

/** Zero lies below every scale. */
function decadeOf(value: number): number {
  return value > 0 ? Math.log10(value) : Number.NEGATIVE_INFINITY;
}

/** The whole numbers around the values and, as far as there is room, their intervals; at least two. */
function spanOf(column: readonly Measured[], position: (value: number) => number): number[] {
  const finite = (value: number | null | undefined) => {
    const at = value == null ? Number.NEGATIVE_INFINITY : position(value);
    return Number.isFinite(at) ? [at] : [];
  };
  const values = column.flatMap(({ value }) => finite(value));
  const least = Math.min(...values, values[0] ?? 0);
  const most = Math.max(...values, least);
  const lows = column.flatMap(({ interval }) => finite(interval?.[0]));
  const highs = column.flatMap(({ interval }) => finite(interval?.[1]));
  const low = Math.floor(Math.max(Math.min(least, ...lows), least - MAX_BELOW));
  const high = Math.max(Math.ceil(Math.min(Math.max(most, ...highs), most + MAX_ABOVE)), low + 1);
  return Array.from({ length: high - low + 1 }, (_, index) => low + index);
}

function linear(marks: readonly number[], note: string): Scale {
  const low = marks[0] ?? 0;
  const high = marks.at(-1) ?? 1;
  const at = (value: number) => Math.round(((value - low) / (high - low)) * 1000) / 10;
  const onScale = (value: number) => (value >= low && value <= high ? at(value) : null);
  return {
    ticks: marks.map((mark) => ({ at: at(mark), label: String(mark) })),
    note,
    mark: ({ value, interval }) => {
      const dot = value === null ? null : onScale(value);
      if (interval === null) return { dot, bar: null, low: null };
      const [from, to] = interval;
      const end = to === null ? 100 : Math.min(100, at(to));
      const bar = end > 0 ? ([Math.max(0, at(from)), end] as const) : null;
      return { dot, bar, low: onScale(from) };
    },
  };
}

/** 10 to the power of `decade`: `0.01`, `1`, `100`, `10k`, `1M`. */
function decadeText(decade: number): string {
  if (decade < 0) return (10 ** decade).toFixed(-decade);
  const unit = UNITS[Math.floor(decade / 3)];
  return unit === undefined ? `1e${decade}` : `${10 ** (decade % 3)}${unit}`;
}
