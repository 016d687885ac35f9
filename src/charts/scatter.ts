import type { Spread, SpreadPoint } from '#core/domain/metrics/spread.ts';
import { type Axis, GUTTER, axisOf, axisTitle } from './axis.ts';
import { diagonals } from './diagonals.ts';
import {
  across,
  all,
  frame,
  level,
  step,
  stretched,
  textBeside,
  textOver,
  ticksBelow,
  ticksLeft,
  up,
  upright,
} from './frame.ts';
import { METRIC_LABELS } from './labels.ts';
import { valueText } from './numbers.ts';
import { type Markup, el } from './svg.ts';

interface Shown {
  spread: Spread;
  /** Whose page it is on; `label` is what the place is called, such as `here`. */
  here?: { leverage: number; velocity: number; label: string } | undefined;
}

interface Axes {
  leverage: Axis;
  velocity: Axis;
}

const HEIGHT = 430;
const PLOT = { top: 46, bottom: 380 };
/** How wide the mark of one operator is, and the most and the least that any mark is. */
const ONE = 7;
const WIDEST = 18;
const NARROWEST = 2.5;

/** Velocity by leverage, each on a logarithmic axis, with the medians and lines of equal yield. */
export function scatter({ spread, here }: Shown): Markup {
  const { points, medians, total } = spread;
  const axis = (metric: keyof Axes) => {
    const values = [
      ...points.map((point) => point[metric]),
      medians[metric],
      here?.[metric] ?? null,
    ];
    return axisOf({ metric, values, margin: 0.05, from: metric === 'leverage' ? GUTTER : 0 });
  };
  const axes = { leverage: axis('leverage'), velocity: axis('velocity') };
  return frame(
    {
      kind: 'scatter',
      height: HEIGHT,
      title: `Velocity by leverage of ${total} operators`,
      desc: descOf({ spread, here }),
    },
    el('text', { x: 0, y: 12 }, axisTitle('velocity', METRIC_LABELS.velocity)),
    ticksLeft(axes.velocity.ticks, PLOT),
    diagonals(axes, PLOT),
    level(PLOT.bottom, 'base'),
    ticksBelow(axes.leverage.ticks, PLOT.bottom),
    el('text', { x: 0, y: HEIGHT - 8 }, axisTitle('leverage', METRIC_LABELS.leverage)),
    crowd(points, axes),
    medianLines(medians, axes),
    here && hereDot(here, axes),
  );
}

/** What the chart says, in words. */
function descOf({ spread: { medians, zeros }, here }: Shown): string {
  const text = (metric: keyof Axes, values: Record<keyof Axes, number>) =>
    `${metric} ${valueText(metric, values[metric])}`;
  const both = (values: Record<keyof Axes, number>) =>
    `${text('leverage', values)} and ${text('velocity', values)}`;
  const none = zeros > 0 ? ` ${zeros} with a 0 have no place on it.` : '';
  const own = here ? ` ${here.label}: ${both(here)}.` : '';
  return `The medians are ${both(medians)}. The area of a mark is the number of operators.${none}${own}`;
}

/** Marks by their width: each width is one path. */
function crowd(points: readonly SpreadPoint[], axes: Axes): Markup {
  const most = points.reduce((crowded, { count }) => Math.max(crowded, count), 1);
  const unit = Math.min(ONE, WIDEST / Math.sqrt(most));
  const byWidth = new Map<number, string>();
  for (const { leverage, velocity, count } of points) {
    const width = Math.max(NARROWEST, Math.round(unit * Math.sqrt(count) * 2) / 2);
    const place = step(axes.leverage.at(leverage) ?? 0, axes.velocity.at(velocity) ?? 0);
    byWidth.set(width, `${byWidth.get(width) ?? ''}M${place}h0`);
  }
  const paths = [...byWidth].map(([width, d]) => el('path', { 'stroke-width': width, d }));
  return stretched(PLOT, ...paths);
}

/** A median of 0 has no place on its axis. */
function medianLines(medians: Spread['medians'], axes: Axes): Markup {
  const place = axes.leverage.at(medians.leverage);
  const height = axes.velocity.at(medians.velocity);
  const text = (metric: keyof Axes) => `median ${valueText(metric, medians[metric])}`;
  const parts: Markup[] = [];
  if (place !== null) {
    parts.push(upright(place, [PLOT.top - 16, PLOT.bottom], 'median'));
    parts.push(textBeside(place, PLOT.top - 8, text('leverage'), { class: 'halo' }));
  }
  if (height !== null) {
    const y = up(PLOT, height);
    parts.push(level(y, 'median'), textOver('right', y - 5, text('velocity')));
  }
  return all(parts);
}

function hereDot(here: NonNullable<Shown['here']>, axes: Axes): Markup | null {
  const place = axes.leverage.at(here.leverage);
  const height = axes.velocity.at(here.velocity);
  if (place === null || height === null) return null;
  const y = up(PLOT, height);
  return el(
    'g',
    { class: 'here' },
    el('circle', { cx: across(place), cy: y, r: 6 }),
    textBeside(place, y - 9, here.label, { class: 'halo' }),
  );
}
