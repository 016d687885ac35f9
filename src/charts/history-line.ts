import { isLogarithmic } from '#core/domain/metrics/metric-axis.ts';
import type { MetricName } from '#core/schema/record.ts';
import { GUTTER, type Run, axisOf, axisTitle, runsOf, timeAxis } from './axis.ts';
import {
  NEAR_DATE,
  across,
  all,
  frame,
  level,
  step,
  stretched,
  textAt,
  textBeside,
  ticksBelow,
  ticksLeft,
  up,
  upright,
} from './frame.ts';
import { type Bounds, type Placed, coveredValues, intervalArea, pathOf } from './interval-area.ts';
import { METRIC_LABELS } from './labels.ts';
import { boundsText, dateText, valueText } from './numbers.ts';
import { type Markup, el } from './svg.ts';

export interface HistoryValue {
  /** `YYYY-MM-DD`. */
  date: string;
  value: number | null;
  /** The 95% interval; the upper bound is null if there is none. */
  interval?: Bounds | null;
}

interface HistoryMark {
  date: string;
  label: string;
}

interface Drawn {
  metric: MetricName;
  /** Every day or week of the period, oldest first; null leaves a gap. */
  points: readonly HistoryValue[];
  marks?: readonly HistoryMark[];
}

const NOTHING = 'No values in this period';
const TITLE_Y = 12;
/** Labels of marks alternate between two rows, so that they do not overlap. */
const MARK_ROWS = [32, 48] as const;
const TOP = 34;
const TOP_UNDER_MARKS = 70;
const PLOT_HEIGHT = 164;
const TICK_ROW = 28;
/** The radius of the target of a value. */
const TARGET = 6;
/** In longer lines, only single points are dots. */
const MOST_DOTS = 92;

export function historyLine({ metric, points, marks = [] }: Drawn): Markup {
  const label = METRIC_LABELS[metric];
  const time = timeAxis(points.map(({ date }) => date));
  const axis = axisOf({ metric, values: coveredValues(metric, points), ticks: 5, margin: 0.08 });
  const top = marks.length > 0 ? TOP_UNDER_MARKS : TOP;
  const plot = { top, bottom: top + PLOT_HEIGHT };
  const drawn = { points, time, axis, plot };
  const desc = descOf({ metric, points, marks });
  return frame(
    { kind: 'history', height: plot.bottom + TICK_ROW, title: titleOf(label, points), desc },
    el('text', { x: 0, y: TITLE_Y }, axisTitle(metric, label)),
    scaleOf(drawn),
    level(plot.bottom, 'base'),
    ticksBelow(time.ticks, plot.bottom, NEAR_DATE),
    intervalArea(drawn),
    all(marks.flatMap((mark, index) => markAt(mark, index, drawn))),
    line(drawn),
    isLogarithmic(metric) && zeros(drawn),
    values(metric, drawn),
  );
}

function titleOf(label: string, points: readonly HistoryValue[]): string {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return `${label} over time`;
  return `${label} from ${dateText(first.date, 'full')} to ${dateText(last.date, 'full')}`;
}

function descOf({ metric, points, marks = [] }: Drawn): string {
  const known = points.flatMap(({ value }) => (value === null ? [] : [value]));
  const marked = marks.map(({ date, label }) => ` ${label} since ${dateText(date, 'full')}.`);
  if (known.length === 0) return `${NOTHING}.${marked.join('')}`;
  const text = (value: number | undefined) => valueText(metric, value ?? 0);
  const least = known.reduce((a, b) => Math.min(a, b));
  const most = known.reduce((a, b) => Math.max(a, b));
  const ends = `${known.length} of ${points.length} points have a value: the first ${text(known[0])}, the last ${text(known.at(-1))}`;
  const last = points.findLast(({ value }) => value !== null)?.interval;
  const bounds = last ? ` The last 95% interval is ${boundsText(metric, last)}.` : '';
  return `${ends}, the lowest ${text(least)}, the highest ${text(most)}.${bounds}${marked.join('')}`;
}

/** The vertical axis, or a note that there are no values. */
export function scaleOf({ points, axis, plot }: Placed): Markup {
  if (points.some(({ value }) => value !== null)) return ticksLeft(axis.ticks, plot);
  return textAt(50, (plot.top + plot.bottom) / 2, NOTHING);
}

/** The line with its gaps and points; a single point between gaps has no line. Longer lines have only such dots. */
export function line({ points, time, axis, plot }: Placed, mostDots = MOST_DOTS): Markup {
  const places = points.map(({ value }) => axis.at(value));
  const xAt = (index: number) => time.at(points[index]?.date ?? '');
  const lineOf = ({ start, places: run }: Run) =>
    `M${run.map((place, index) => step(xAt(start + index), place)).join('L')}`;
  const known = runsOf(places);
  const runs = known.filter((run) => run.places.length > 1);
  const dotted = points.length > mostDots ? known.filter((run) => run.places.length === 1) : known;
  const dots = dotted.flatMap(({ start, places: run }) =>
    run.map((place, index) => `M${step(xAt(start + index), place)}h0`),
  );
  return stretched(plot, pathOf('line', runs.map(lineOf)), pathOf('points', dots));
}

/** Zero is not on a logarithmic axis: it is an open dot at the bottom, not connected to the line. */
export function zeros({ points, time, plot }: Placed): Markup {
  const found = points.filter(({ value }) => value === 0);
  return all(
    found.map(({ date }) =>
      el('circle', { class: 'zero', cx: across(time.at(date)), cy: plot.bottom, r: 3 }),
    ),
  );
}

/** Invisible targets with the values of the points, which browsers show on hover. */
function values(metric: MetricName, { points, time, axis, plot }: Placed): Markup {
  const targets = points.flatMap(({ date, value, interval }) => {
    if (value === null) return [];
    const bounds = interval ? `, 95% interval ${boundsText(metric, interval)}` : '';
    const text = `${dateText(date, 'full')}: ${valueText(metric, value)}${bounds}`;
    const place = { cx: across(time.at(date)), cy: up(plot, axis.at(value) ?? 0), r: TARGET };
    return [el('circle', place, el('title', {}, text))];
  });
  return el('g', { class: 'values' }, ...targets);
}

function markAt({ date, label }: HistoryMark, index: number, { time, plot }: Placed): Markup[] {
  const place = time.at(date);
  if (place < GUTTER || place > 100) return [];
  const y = MARK_ROWS[index % MARK_ROWS.length] as number;
  return [upright(place, [y - 10, plot.bottom], 'mark'), textBeside(place, y, label)];
}
