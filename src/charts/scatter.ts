import type { Spread, SpreadPoint } from '#core/domain/metrics/spread.ts';
import { type Axis, GUTTER, axisOf, axisTitle } from './axis.ts';
import {
  type Plot,
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
import { tickText, valueText } from './numbers.ts';
import { type Markup, el } from './svg.ts';

interface Shown {
  spread: Spread;
  /** The operator whose page shows the chart; `label` names the mark, for example `here`. */
  here?: { leverage: number; velocity: number; label: string } | undefined;
}

interface Axes {
  leverage: Axis;
  velocity: Axis;
}

const HEIGHT = 430;
const PLOT = { top: 46, bottom: 380 };
/** The width of one operator's mark, and the limits for all marks. */
const ONE = 7;
const WIDEST = 18;
const NARROWEST = 2.5;

/** Velocity by leverage on logarithmic axes, with medians and lines of equal yield. */
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

function descOf({ spread: { medians, zeros }, here }: Shown): string {
  const text = (metric: keyof Axes, values: Record<keyof Axes, number>) =>
    `${metric} ${valueText(metric, values[metric])}`;
  const both = (values: Record<keyof Axes, number>) =>
    `${text('leverage', values)} and ${text('velocity', values)}`;
  const none = zeros > 0 ? ` Not shown, with a value of 0: ${zeros}.` : '';
  const own = here ? ` ${here.label}: ${both(here)}.` : '';
  return `The medians are ${both(medians)}. The area of a mark shows the number of operators.${none}${own}`;
}

/** Groups marks by width, one path for each. */
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

/** The medians; a median of 0 is not on the axis. */
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

/** A line of equal yield: the coordinates of its ends, 0 to 100. */
interface Diagonal {
  power: number;
  from: readonly [number, number];
  to: readonly [number, number];
}

/** The most lines of equal yield. */
const MAX_LINES = 5;
/** The width of a label, in percent. */
const LABEL_ROOM = 30;
/** Shorter lines, in percent, are left out: they only cut a corner. */
const SHORTEST = 10;

/** Lines of equal yield in a plot of velocity by leverage, straight on logarithmic axes. */
function diagonals(axes: Axes, plot: Plot): Markup {
  const lines = linesOf(axes).filter(({ from, to }) => to[0] - from[0] >= SHORTEST);
  const step = Math.ceil(lines.length / MAX_LINES);
  const kept = lines.filter(({ power }) => power % Math.max(step, 1) === 0);
  return all(kept.flatMap((line) => drawn(line, plot)));
}

function linesOf(axes: Axes): Diagonal[] {
  const [x, y] = [decadesOf(axes.leverage), decadesOf(axes.velocity)];
  if (!x || !y) return [];
  const lowest = Math.ceil(x.powerAt(GUTTER) + y.powerAt(0));
  const highest = Math.floor(x.powerAt(100) + y.powerAt(100));
  return Array.from({ length: Math.max(0, highest - lowest + 1) }, (_, index) => {
    const power = lowest + index;
    const left = Math.max(GUTTER, x.placeOf(power - y.powerAt(100)));
    const right = Math.min(100, x.placeOf(power - y.powerAt(0)));
    const upAt = (place: number) => y.placeOf(power - x.powerAt(place));
    return { power, from: [left, upAt(left)], to: [right, upAt(right)] };
  });
}

/** Converts between positions and powers of ten; null if there are no values. */
function decadesOf({ at: placeAt }: Axis) {
  const [one, ten] = [placeAt(1), placeAt(10)];
  if (one === null || ten === null) return null;
  const decade = ten - one;
  return {
    powerAt: (place: number) => (place - one) / decade,
    placeOf: (power: number) => one + power * decade,
  };
}

/** The label is under the bottom of the line, where there is room. */
function drawn({ power, from, to }: Diagonal, plot: Plot): Markup[] {
  const ends = {
    x1: across(from[0]),
    y1: up(plot, from[1]),
    x2: across(to[0]),
    y2: up(plot, to[1]),
  };
  const line = el('line', { class: 'diagonal', ...ends });
  if (to[0] < LABEL_ROOM) return [line];
  const y = Math.min(ends.y2 + 14, plot.bottom - 6);
  const place = { x: across(to[0]), y, dx: -6, 'text-anchor': 'end' };
  return [line, el('text', { class: 'halo', ...place }, `yield ${tickText(10 ** power)}`)];
}
