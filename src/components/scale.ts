/** The scale that a column of values is drawn on. */
import type { MetricName } from '#core/schema/record.ts';

export interface Tick {
  /** From 0 (left) to 100 (right). */
  at: number;
  label: string;
}

export interface Scale {
  ticks: Tick[];
  /** What the reader must know to read it. */
  note: string;
  /** From 0 to 100; null for a value that has no place. */
  place: (value: number | null) => number | null;
}

/** More labels than this do not fit. */
const MAX_LABELS = 6;

const UNITS = ['', 'k', 'M', 'G', 'T'];

/** The scale for one metric's values. */
export function scaleOf(metric: MetricName, values: readonly (number | null)[]): Scale {
  const known = values.filter((value) => value !== null);
  if (metric === 'snr') {
    return linear([0, 0.25, 0.5, 0.75, 1], 'The needle shows the value between 0 and 1.');
  }
  if (metric === 'dev10x') {
    const ticks = spanOf(known);
    return linear(ticks, 'The needle shows the value; each tick is ten times the leverage.');
  }
  const decades = spanOf(known.filter((value) => value > 0).map((value) => Math.log10(value)));
  const { ticks, place } = linear(decades, '');
  return {
    ticks: ticks.map(({ at }, index) => ({ at, label: decadeText(decades[index] ?? 0) })),
    note: 'The needle shows the value on a logarithmic scale: each tick is ten times the one before it.',
    place: (value) => (value === null || value <= 0 ? null : place(Math.log10(value))),
  };
}

/** Which labels to print: the first, the last, and as many between as fit. */
export function labelled(ticks: readonly Tick[]): Tick[] {
  const step = Math.ceil((ticks.length - 1) / (MAX_LABELS - 1));
  return ticks.filter((_, index) => index % step === 0);
}

/** The whole numbers around the values, at least two. */
function spanOf(values: readonly number[]): number[] {
  const low = Math.floor(Math.min(...values, values[0] ?? 0));
  const high = Math.max(Math.ceil(Math.max(...values, low)), low + 1);
  return Array.from({ length: high - low + 1 }, (_, index) => low + index);
}

function linear(marks: readonly number[], note: string): Scale {
  const low = marks[0] ?? 0;
  const high = marks.at(-1) ?? 1;
  const at = (value: number) => Math.round(((value - low) / (high - low)) * 1000) / 10;
  return {
    ticks: marks.map((mark) => ({ at: at(mark), label: String(mark) })),
    note,
    place: (value) => (value === null ? null : at(value)),
  };
}

/** 10 to the power of `decade`: `0.01`, `1`, `100`, `10k`, `1M`. */
function decadeText(decade: number): string {
  if (decade < 0) return (10 ** decade).toFixed(-decade);
  const unit = UNITS[Math.floor(decade / 3)];
  return unit === undefined ? `1e${decade}` : `${10 ** (decade % 3)}${unit}`;
}
