import { axisOf, timeAxis } from './axis.ts';
import {
  NEAR_DATE,
  type Plot,
  across,
  all,
  frame,
  level,
  textOver,
  ticksBelow,
  ticksLeft,
  up,
} from './frame.ts';
import { dateText, tokensText } from './numbers.ts';
import { type Markup, el } from './svg.ts';

interface Day {
  /** `YYYY-MM-DD`. */
  date: string;
  /** What counts for the account; null for nothing. */
  own: number | null;
  /** What the submission on hold says; null if it does not contain the day. */
  held: number | null;
}

interface Drawn {
  /** What is measured, such as `Tokens in a day`. */
  label: string;
  /** Oldest first. */
  days: readonly Day[];
  lines: readonly { label: string; value: number }[];
}

const TITLE_Y = 12;
const PLOT: Plot = { top: 34, bottom: 190 };
const TICK_ROW = 28;

/** Days on hold among an account's other days, on a logarithmic axis, with lines for everyone. */
export function evidenceChart({ label, days, lines }: Drawn): Markup {
  const time = timeAxis(days.map(({ date }) => date));
  const values = [...days.flatMap(({ own, held }) => [own, held]), ...lines.map(valueOf)];
  const axis = axisOf({ metric: 'yield', values, ticks: 5, margin: 0.08, span: 1 });
  const yAt = (value: number | null) => {
    const place = axis.at(value);
    return place === null ? null : up(PLOT, place);
  };
  const dot = (date: string, value: number | null, kind: string, r: number): Markup[] => {
    const cy = yAt(value);
    return cy === null ? [] : [el('circle', { class: kind, cx: across(time.at(date)), cy, r })];
  };
  return frame(
    {
      kind: 'history',
      height: PLOT.bottom + TICK_ROW,
      title: label,
      desc: descOf({ days, lines }),
    },
    el('text', { x: 0, y: TITLE_Y }, `${label}, log scale`),
    ticksLeft(axis.ticks, PLOT),
    level(PLOT.bottom, 'base'),
    ticksBelow(time.ticks, PLOT.bottom, NEAR_DATE),
    all(days.flatMap(({ date, own }) => dot(date, own, 'zero', 3))),
    all(
      lines.flatMap((line) => {
        const y = yAt(line.value);
        return y === null ? [] : [level(y, 'mark'), textOver('right', y - 4, lineText(line))];
      }),
    ),
    el('g', { class: 'here' }, all(days.flatMap(({ date, held }) => dot(date, held, 'held', 4)))),
  );
}

const valueOf = ({ value }: { value: number }) => value;

function lineText({ label, value }: Drawn['lines'][number]): string {
  return `${label}: ${tokensText(value)}`;
}

function daysText(days: number, which: string): string {
  return `${days} ${days === 1 ? 'day' : 'days'} ${which}`;
}

function descOf({ days, lines }: Pick<Drawn, 'days' | 'lines'>): string {
  const held = days.filter((day) => day.held !== null);
  const own = days.filter((day) => day.own !== null);
  const parts = [
    daysText(held.length, 'on hold') + rangeOf(held.flatMap((day) => day.held ?? [])),
    daysText(own.length, 'counted for the account') + rangeOf(own.flatMap((day) => day.own ?? [])),
    ...lines.map(lineText),
  ];
  const [first, last] = [days[0], days.at(-1)];
  const when =
    first && last ? ` From ${dateText(first.date, 'full')} to ${dateText(last.date, 'full')}.` : '';
  return `${parts.join('. ')}.${when}`;
}

function rangeOf(values: readonly number[]): string {
  if (values.length === 0) return '';
  const least = values.reduce((a, b) => Math.min(a, b));
  const most = values.reduce((a, b) => Math.max(a, b));
  return `, from ${tokensText(least)} to ${tokensText(most)}`;
}
