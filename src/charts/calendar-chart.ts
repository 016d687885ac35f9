import type { CalendarMeasure } from '#core/domain/board/operator-view.ts';
import { dayName, dayNumber, mondayOf } from '#core/domain/counting/day.ts';
import { GUTTER } from './axis.ts';
import { across, all, frame } from './frame.ts';
import { METRIC_LABELS } from './labels.ts';
import { dateText, tokensText, valueText } from './numbers.ts';
import { type Markup, el } from './svg.ts';

export interface CalendarDay {
  /** `YYYY-MM-DD`. */
  date: string;
  value: number;
}

/** Where the second, third and fourth level begin. */
type Levels = readonly [number, number, number];

interface Drawn {
  measure: CalendarMeasure;
  /** The first and the last day, at most half a year apart, so that dots do not touch on a phone. */
  from: string;
  to: string;
  /** The days with a value. */
  days: readonly CalendarDay[];
  levels: Levels;
}

/** Space for the weeks of half a year, so that all charts have the same scale. */
const WEEKS = 27;
const TITLE_Y = 12;
/** The height of the row of Mondays, and from one row to the next. */
const TOP = 30;
const ROW = 13;
const WEEKDAYS = ['Mon', null, 'Wed', null, 'Fri', null, null];
/** The radius of a day without tokens, then of each level. */
const RADII = [0.75, 2, 3, 4, 5] as const;

/** The measure of each day, one column for each week. The size of a dot shows the level. */
export function calendarChart({ measure, from, to, days, levels }: Drawn): Markup {
  const [first, last] = [dayNumber(from), dayNumber(to)];
  const known = new Map(days.map(({ date, value }) => [dayNumber(date), value]));
  const each = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  const { label } = wordsOf(measure);
  const title = `${label} by day from ${dateText(from, 'full')} to ${dateText(to, 'full')}`;
  return frame(
    { kind: 'calendar', height: TOP + ROW * 7, title, desc: descOf(measure, days) },
    all(months(each, first)),
    all(
      WEEKDAYS.flatMap((name, row) => {
        return name === null ? [] : [el('text', { x: 0, y: TOP + ROW * row + 4 }, name)];
      }),
    ),
    all(each.map((day) => dotOf({ day, first, measure, value: known.get(day), levels }))),
  );
}

/** The half-years from the first to the last day. */
export function halfYears(first: string, last: string): [from: string, to: string][] {
  const halves: [string, string][] = [];
  for (let year = Number(first.slice(0, 4)); year <= Number(last.slice(0, 4)); year += 1) {
    halves.push([`${year}-01-01`, `${year}-06-30`], [`${year}-07-01`, `${year}-12-31`]);
  }
  return halves
    .filter(([from, to]) => to >= first && from <= last)
    .map(([from, to]) => [from > first ? from : first, to < last ? to : last]);
}

/** The quartiles of the days with a value, so that each level has a quarter of them. */
export function calendarLevels(days: readonly CalendarDay[]): Levels {
  const rising = days.map(({ value }) => value).sort((a, b) => a - b);
  const at = (share: number) => rising[Math.floor(share * rising.length)] ?? 0;
  return [at(0.25), at(0.5), at(0.75)];
}

/** What the sizes of the dots mean. */
export function calendarKey(measure: CalendarMeasure, levels: Levels): string {
  const { noun, text } = wordsOf(measure);
  const [second, third, fourth] = levels.map(text);
  const larger = measure === 'tokens' ? 'more tokens' : `a higher ${noun}`;
  const smallest = measure === 'tokens' ? 'tokens' : 'a value';
  return `A larger dot means ${larger}: less than ${second}, from ${second}, from ${third}, and from ${fourth} on, a quarter of the days each. The smallest dots are days without ${smallest}.`;
}

function wordsOf(measure: CalendarMeasure) {
  if (measure === 'tokens') return { label: 'Tokens', noun: 'tokens', text: tokensText };
  const label = METRIC_LABELS[measure];
  const noun = /^[A-Z]?[a-z]+$/.test(label) ? label.toLowerCase() : label;
  return { label, noun, text: (value: number) => valueText(measure, value) };
}

function descOf(measure: CalendarMeasure, days: readonly CalendarDay[]): string {
  const { noun, text } = wordsOf(measure);
  const [some] = days;
  if (!some) return `No ${noun} on these days.`;
  const most = days.reduce((best, day) => (day.value > best.value ? day : best), some);
  const have = days.length === 1 ? '1 day has' : `${days.length} days have`;
  const top = `on ${dateText(most.date, 'full')}: ${text(most.value)}.`;
  if (measure !== 'tokens') return `${have} a value. Highest ${top}`;
  const sum = days.reduce((total, { value }) => total + value, 0);
  return `${have} tokens, ${text(sum)} together. Most ${top}`;
}

/** From 1 to 4; 0 for a day without a value. */
export function levelOf(value: number | undefined, levels: Levels): number {
  return value === undefined ? 0 : 1 + levels.filter((begin) => value >= begin).length;
}

function weekOf(day: number, first: number): number {
  return (mondayOf(day) - mondayOf(first)) / 7;
}

function placeOf(week: number): number {
  return GUTTER + ((week + 0.5) / WEEKS) * (100 - GUTTER);
}

/** The names of the months, above the week with their first day. */
function months(days: readonly number[], first: number): Markup[] {
  const begins = days.filter((day) => dayName(day).endsWith('-01'));
  return begins.map((day) => {
    const name = dateText(dayName(day), 'day').replace(/^\d+ /, '');
    return el('text', { x: across(placeOf(weekOf(day, first)) - 1), y: TITLE_Y }, name);
  });
}

interface Dot {
  day: number;
  /** The first day of the chart. */
  first: number;
  measure: CalendarMeasure;
  value: number | undefined;
  levels: Levels;
}

function dotOf({ day, first, measure, value, levels }: Dot): Markup {
  const place = {
    cx: across(placeOf(weekOf(day, first))),
    cy: TOP + ROW * (day - mondayOf(day)),
    r: RADII[levelOf(value, levels)] ?? 0,
  };
  if (value === undefined) return el('circle', { class: 'none', ...place });
  const { noun, text } = wordsOf(measure);
  const amount = measure === 'tokens' ? `${text(value)} ${noun}` : `${noun} ${text(value)}`;
  const title = el('title', {}, `${dateText(dayName(day), 'full')}: ${amount}`);
  return el('circle', { class: 'day', ...place }, title);
}
