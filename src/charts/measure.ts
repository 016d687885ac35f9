import type { MetricName } from '#core/schema/record.ts';
import { across, all, frame, level, textAt, ticksBelow, upright } from './frame.ts';
import { METRIC_LABELS } from './labels.ts';
import { valueText } from './numbers.ts';
import { type Mark, labelled, scaleOf } from './scale.ts';
import { type Markup, el } from './svg.ts';

interface Shown {
  metric: MetricName;
  value: number | null;
  conservative: number | null;
  interval: readonly [number, number | null] | null;
  /** The board's median; null if it has none. */
  median: number | null;
}

const HEIGHT = 64;
const MEDIAN_Y = 10;
const NEEDLE_Y = 28;
const BASE = 42;
const LABELS = 4;
const NEAR = 25;

/** One value with its interval on the metric's scale, and the board's median. */
export function measure({ metric, median, ...own }: Shown): Markup {
  const whole = { value: median, conservative: null, interval: null };
  const column = [own, whole];
  const scale = scaleOf(metric, column, Number.POSITIVE_INFINITY);
  const middle = scale.mark(whole).dot;
  return frame(
    {
      kind: 'measure',
      height: HEIGHT,
      title: `${METRIC_LABELS[metric]} against the median`,
      desc: descOf({ metric, ...own, median }),
    },
    level(BASE, 'base'),
    ticksBelow(labelled(scale.ticks, LABELS), BASE),
    middle !== null &&
      all([
        upright(middle, [MEDIAN_Y + 4, BASE], 'median'),
        textAt(middle, MEDIAN_Y, `median ${valueText(metric, median ?? 0)}`, NEAR),
      ]),
    needle(scale.mark(own)),
  );
}

function descOf({ metric, value, interval, median }: Shown): string {
  const text = (given: number) => valueText(metric, given);
  const own = value === null ? 'The value is undefined.' : `The value is ${text(value)}`;
  const [low, high] = interval ?? [null, null];
  const ends = high === null ? 'without an upper end' : `to ${text(high)}`;
  const between = low === null ? '' : `, its 95% interval ${text(low)} ${ends}`;
  const board = median === null ? ' The board has no median.' : ` The median is ${text(median)}.`;
  return value === null ? `${own}${board}` : `${own}${between}.${board}`;
}

function needle({ dot, bar, low }: Mark): Markup {
  return el(
    'g',
    { class: 'needle' },
    bar && level(NEEDLE_Y, 'bar', bar),
    dot !== null && el('circle', { class: 'dot', cx: across(dot), cy: NEEDLE_Y, r: 4 }),
    low !== null && upright(low, [NEEDLE_Y - 7, NEEDLE_Y + 7], 'low'),
  );
}
