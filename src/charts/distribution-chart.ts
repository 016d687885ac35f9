import type { Bin, Distribution } from '#core/domain/metrics/distribution.ts';
import { axisPosition, roundStep } from '#core/domain/metrics/metric-axis.ts';
import type { MetricName } from '#core/schema/record.ts';
import { type Axis, GUTTER, axisOf, axisTitle } from './axis.ts';
import {
  NEAR_LABEL,
  across,
  all,
  frame,
  level,
  textAt,
  textOver,
  ticksBelow,
  up,
  upright,
} from './frame.ts';
import { METRIC_LABELS } from './labels.ts';
import { valueText } from './numbers.ts';
import { type Markup, at, el } from './svg.ts';

interface Shown {
  metric: MetricName;
  distribution: Distribution;
  /** The operator whose page shows the chart; `label` names the mark, for example `here`. */
  here?: Here | undefined;
}

interface Here {
  value: number;
  label: string;
}

const HEIGHT = 252;
/** The longest axis that still shows a value far from the bins. */
const MAX_SPAN = 8;
const PLOT = { top: 78, bottom: 196 };
const BASE = PLOT.bottom;
const MEDIAN_Y = 24;
const MIDDLE_Y = 36;
const HERE_Y = 58;
/** The maximum width of a label next to its mark, in percent. */
const LABEL = 34;
/** The vertical extent of the median's line. */
const UNBROKEN = [[MIDDLE_Y - 8, BASE]] as const;
const AROUND_LABEL = [
  [MIDDLE_Y - 8, MIDDLE_Y + 8],
  [HERE_Y + 6, BASE],
] as const;

export function distributionChart({ metric, distribution, here }: Shown): Markup {
  const { bins, total } = distribution;
  const ends = binEnds(distribution);
  const values = here && isNear(metric, ends, here.value) ? [...ends, here.value] : ends;
  const axis = clamped(axisOf({ metric, values, from: GUTTER }));
  const beyond = beyondText(distribution);
  const most = bins.reduce((tallest, { count }) => Math.max(tallest, count), 0);
  const every = Math.max(1, roundStep(Math.max(most, 1), 3));
  const top = Math.ceil(most / every) * every;
  const title = `Distribution of ${METRIC_LABELS[metric]} among ${total} operators`;
  return frame(
    { kind: 'distribution', height: HEIGHT, title, desc: descOf({ metric, distribution, here }) },
    counts(top, every),
    all(bins.map((bin) => barOf(bin, axis, top))),
    bins.length === 0 && textAt(50, (PLOT.top + BASE) / 2, 'All values are 0'),
    level(BASE, 'base'),
    ticksBelow(axis.ticks, BASE),
    el('text', { x: 0, y: HEIGHT - 8 }, axisTitle(metric, METRIC_LABELS[metric])),
    beyond !== '' && textOver('right', HEIGHT - 8, beyond),
    quartileMarks({ metric, distribution, here }, axis),
    here && hereMark({ metric, distribution }, here, axis),
  );
}

/** An axis that notes at its ends how many values are off the chart. */
function clamped({ ticks, at: placeOf }: Axis): Axis {
  return {
    ticks,
    at: (value) => {
      const place = placeOf(value);
      return place === null ? null : Math.min(100, Math.max(GUTTER, place));
    },
  };
}

/** Whether the axis can include a value without making the bins too narrow. */
function isNear(metric: MetricName, ends: readonly number[], value: number): boolean {
  const own = axisPosition(metric, value);
  if (ends.length === 0 || !Number.isFinite(own)) return true;
  const [low, high] = [ends[0] ?? 0, ends.at(-1) ?? 0].map((end) => axisPosition(metric, end));
  return Math.max(high ?? own, own) - Math.min(low ?? own, own) <= MAX_SPAN;
}

function binEnds({ bins }: Distribution): number[] {
  return bins.flatMap(({ from, to }) => [from, to]);
}

/** How many values are off the chart, in words; empty for none. */
function beyondText({ beyond: [below, above] }: Distribution): string {
  const parts = [below > 0 && `${below} further left`, above > 0 && `${above} further right`];
  return parts.filter((part) => part !== false).join(', ');
}

function descOf({ metric, distribution, here }: Shown): string {
  const { quartiles, zeros } = distribution;
  const [lower, median, upper] = quartiles.map((value) => valueText(metric, value));
  const middle = `The middle half is between ${lower} and ${upper}; the median is ${median}.`;
  const none = zeros > 0 ? ` Not shown, with value 0: ${zeros}.` : '';
  const beyond = beyondText(distribution);
  const off = beyond === '' ? '' : ` Off the chart: ${beyond}.`;
  const own = here ? ` ${here.label}: ${valueText(metric, here.value)}.` : '';
  return `${middle}${none}${off}${own}`;
}

function barOf({ from, to, count }: Bin, axis: Axis, top: number): Markup {
  const [start, end] = [axis.at(from) ?? 0, axis.at(to) ?? 0];
  const y = up(PLOT, (count / top) * 100);
  const box = { x: across(start), y, width: across(end - start), height: at(BASE - y) };
  return el('rect', { class: 'bin', ...box });
}

/** Horizontal lines at round numbers of operators; the label of the highest names the unit. */
function counts(top: number, every: number): Markup {
  const lines = Array.from({ length: top / every }, (_, index) => (index + 1) * every);
  return all(
    lines.flatMap((count, index) => {
      const y = up(PLOT, (count / top) * 100);
      const isHighest = index === lines.length - 1;
      const text = isHighest ? `${count} ${count === 1 ? 'operator' : 'operators'}` : `${count}`;
      return [level(y, 'grid'), textOver('left', y - 4, text)];
    }),
  );
}

/** The middle half as a line over the bars, and the median; zero is not on the axis. */
function quartileMarks({ metric, distribution, here }: Shown, axis: Axis): Markup {
  const { quartiles } = distribution;
  const [lower, median, upper] = quartiles.map((value) => axis.at(value));
  const spans = here && labelOf(here, quartiles[1], axis).meetsMedian ? AROUND_LABEL : UNBROKEN;
  const text = `median ${valueText(metric, quartiles[1])}`;
  const whisker = (place: number | null | undefined) =>
    place == null ? [] : [upright(place, [MIDDLE_Y - 4, MIDDLE_Y + 4], 'middle')];
  return all([
    ...(upper == null ? [] : [level(MIDDLE_Y, 'middle', [lower ?? 0, upper])]),
    ...whisker(lower),
    ...whisker(upper),
    ...(median == null ? [] : spans.map((ends) => upright(median, ends, 'median'))),
    textAt(median ?? 0, MEDIAN_Y, text, NEAR_LABEL),
  ]);
}

/** The side of the label, away from the median if there is room, and whether it overlaps the median's line. */
function labelOf({ value }: Here, median: number, axis: Axis) {
  const place = axis.at(value) ?? 0;
  const middle = axis.at(median);
  const away = middle === null ? place > 50 : middle > place;
  const isLeft = away ? place >= LABEL : place > 100 - LABEL;
  const [from, to] = isLeft ? [place - LABEL, place] : [place, place + LABEL];
  return { isLeft, meetsMedian: middle !== null && middle > from && middle < to };
}

function hereMark({ metric, distribution }: Shown, here: Here, axis: Axis): Markup {
  const { value, label } = here;
  const place = axis.at(value);
  const isFar = !isNear(metric, binEnds(distribution), value);
  const text = `${isFar ? 'off the chart, ' : ''}${label}: ${valueText(metric, value)}`;
  const { isLeft } = labelOf(here, distribution.quartiles[1], axis);
  const [anchor, dx] = isLeft ? ['end', -6] : ['start', 6];
  return el(
    'g',
    { class: 'here' },
    place !== null && !isFar && upright(place, [HERE_Y - 10, BASE], 'needle'),
    el(
      'text',
      { x: across(place ?? 0), y: HERE_Y, dx, 'text-anchor': anchor, class: 'halo' },
      text,
    ),
  );
}
