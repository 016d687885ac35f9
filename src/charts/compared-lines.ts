/** The histories of several operators in one chart. */
import { isLogarithmic } from '#core/domain/metrics/metric-axis.ts';
import type { MetricName } from '#core/schema/record.ts';
import { axisOf, axisTitle, timeAxis } from './axis.ts';
import { NEAR_DATE, frame, level, ticksBelow } from './frame.ts';
import { type HistoryValue, line, scaleOf, zeros } from './history-line.ts';
import { METRIC_LABELS } from './labels.ts';
import { valueText } from './numbers.ts';
import { type Markup, el } from './svg.ts';

export interface ComparedLine {
  name: string;
  points: readonly HistoryValue[];
}

const TITLE_Y = 12;
const PLOT = { top: 34, bottom: 234 } as const;
const TICK_ROW = 28;

/**
 * One line for each operator, with the class `line-1`, `line-2` and so on. The page styles them, because only one page
 * has such a chart.
 */
export function comparedLines(metric: MetricName, lines: readonly ComparedLine[]): Markup {
  const label = METRIC_LABELS[metric];
  const points = lines.flatMap((one) => one.points);
  const time = timeAxis(points.map(({ date }) => date).sort());
  const values = points.map(({ value }) => value);
  const axis = axisOf({ metric, values, ticks: 5, margin: 0.08 });
  const placed = { points, time, axis, plot: PLOT };
  return frame(
    {
      kind: 'history',
      height: PLOT.bottom + TICK_ROW,
      title: `${label} of ${lines.length} operators over time`,
      desc: lines.map((one) => lastText(metric, one)).join(' '),
    },
    el('text', { x: 0, y: TITLE_Y }, axisTitle(metric, label)),
    scaleOf(placed),
    level(PLOT.bottom, 'base'),
    ticksBelow(time.ticks, PLOT.bottom, NEAR_DATE),
    ...lines.map((one, index) => {
      const own = { ...placed, points: one.points };
      const kind = { class: `line-${index + 1}` };
      return el('g', kind, line(own, 0), isLogarithmic(metric) && zeros(own));
    }),
  );
}

function lastText(metric: MetricName, { name, points }: ComparedLine): string {
  const last = points.findLast(({ value }) => value !== null)?.value ?? null;
  if (last === null) return `${name} has no values.`;
  return `The last value of ${name} is ${valueText(metric, last)}.`;
}
