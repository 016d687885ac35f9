import { dayName, dayNumber, mondayOf } from '#core/domain/counting/day.ts';
import { GUTTER } from './axis.ts';
import { across, all, frame } from './frame.ts';
import { dateText, tokensText } from './numbers.ts';
import { type Markup, el } from './svg.ts';

interface Day {
  /** `YYYY-MM-DD`. */
  date: string;
  tokens: number;
}

interface Drawn {
  /** The first and the last day, at most half a year apart, so that dots do not touch on a phone. */
  from: string;
  to: string;
  /** The days with tokens. */
  days: readonly Day[];
  /** Where the second, third and fourth level begin, in tokens. */
  levels: readonly [number, number, number];
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

/** The tokens of each day, one column for each week. The size of a dot shows the level. */
export function calendarChart({ from, to, days, levels }: Drawn): Markup {
  const [first, last] = [dayNumber(from), dayNumber(to)];
  const known = new Map(days.map(({ date, tokens }) => [dayNumber(date), tokens]));
  const each = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  const title = `Tokens by day from ${dateText(from, 'full')} to ${dateText(to, 'full')}`;
  return frame(
    { kind: 'calendar', height: TOP + ROW * 7, title, desc: descOf(days) },
    all(months(each, first)),
    all(
      WEEKDAYS.flatMap((name, row) => {
        return name === null ? [] : [el('text', { x: 0, y: TOP + ROW * row + 4 }, name)];
      }),
    ),
    all(each.map((day) => dot(day, first, levelOf(known.get(day) ?? 0, levels), known.get(day)))),
  );
}

function descOf(days: readonly Day[]): string {
  const [some] = days;
  if (!some) return 'No tokens on these days.';
  const most = days.reduce((best, day) => (day.tokens > best.tokens ? day : best), some);
  const sum = days.reduce((total, { tokens }) => total + tokens, 0);
  const noun = days.length === 1 ? 'day has' : 'days have';
  return `${days.length} ${noun} tokens, ${tokensText(sum)} together. Most on ${dateText(most.date, 'full')}: ${tokensText(most.tokens)}.`;
}

function levelOf(tokens: number, levels: Drawn['levels']): number {
  return tokens === 0 ? 0 : 1 + levels.filter((begin) => tokens >= begin).length;
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

function dot(day: number, first: number, level: number, tokens = 0): Markup {
  const date = dayName(day);
  const place = {
    cx: across(placeOf(weekOf(day, first))),
    cy: TOP + ROW * (day - mondayOf(day)),
    r: RADII[level] ?? 0,
  };
  if (level === 0) return el('circle', { class: 'none', ...place });
  const title = el('title', {}, `${dateText(date, 'full')}: ${tokensText(tokens)} tokens`);
  return el('circle', { class: 'day', ...place }, title);
}
