/** The intervals of a line of values over time. */
import { axisPosition, axisValue } from '#core/domain/metrics/metric-axis.ts';
import type { MetricName } from '#core/schema/record.ts';
import { type Axis, type TimeAxis, runsOf } from './axis.ts';
import { type Plot, step, stretched } from './frame.ts';
import { type Markup, el } from './svg.ts';

/** The bounds of an interval. The upper bound is null if there is none. */
export type Bounds = readonly [low: number, high: number | null];

interface Point {
  date: string;
  value: number | null;
  interval?: Bounds | null;
}

/** Values over time, and where a chart places them. */
export interface Placed<Value extends Point = Point> {
  points: readonly Value[];
  time: TimeAxis;
  axis: Axis;
  plot: Plot;
}

/** How far intervals may widen the axis beyond the values, in its own units. Beyond, they are cut off. */
const MOST_WIDER = 1;

/** The values, and the bounds of intervals as far as they may widen the axis. */
export function coveredValues(metric: MetricName, points: readonly Point[]): (number | null)[] {
  const values = points.map(({ value }) => value);
  const places = values.flatMap((value) => (value === null ? [] : axisPosition(metric, value)));
  const finite = places.filter(Number.isFinite);
  const bounds = points.flatMap(({ interval }) => interval ?? []);
  if (finite.length === 0 || bounds.length === 0) return values;
  const least = finite.reduce((a, b) => Math.min(a, b)) - MOST_WIDER;
  const most = finite.reduce((a, b) => Math.max(a, b)) + MOST_WIDER;
  const within = bounds.map((bound) => {
    const place = bound === null ? most : axisPosition(metric, bound);
    return axisValue(metric, Math.min(most, Math.max(least, place)));
  });
  return [...values, ...within];
}

/** The intervals as an area, and the lower bound as a line. */
export function intervalArea({ points, time, axis, plot }: Placed): Markup | null {
  const placed = points.map(({ interval }) => (interval ? boundsOf(axis, interval) : null));
  const known = runsOf(placed.map((bounds) => bounds && bounds[0]));
  const lines = known.map(({ start, places }) => {
    const at = places.map((_, index) => ({
      x: time.at(points[start + index]?.date ?? ''),
      bounds: placed[start + index] as [number, number],
    }));
    const low = at.map(({ x, bounds }) => step(x, bounds[0])).join('L');
    const high = at.map(({ x, bounds }) => step(x, bounds[1])).reverse();
    return { low: `M${low}`, area: `M${low}L${high.join('L')}Z` };
  });
  if (lines.length === 0) return null;
  return stretched(
    plot,
    pathOf(
      'area',
      lines.map(({ area }) => area),
    ),
    pathOf(
      'low',
      lines.map(({ low }) => low),
    ),
  );
}

/** An interval on the axis, cut off at its ends. */
function boundsOf(axis: Axis, [low, high]: Bounds): [number, number] {
  const within = (place: number) => Math.min(100, Math.max(0, place));
  return [within(axis.at(low) ?? 0), high === null ? 100 : within(axis.at(high) ?? 0)];
}

/** A path of pieces; null without any. */
export function pathOf(kind: string, pieces: readonly string[]): Markup | null {
  const d = pieces.join('');
  return d === '' ? null : el('path', { class: kind, d });
}
