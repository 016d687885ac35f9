import { dayNumber } from '#core/domain/counting/day.ts';
import { GUTTER } from './axis.ts';
import { dateText } from './numbers.ts';
import type { Tick } from './scale.ts';

/** Where days lie along a chart. */
export interface TimeAxis {
  ticks: Tick[];
  /** From 0 to 100, beyond them outside. */
  at: (date: string) => number;
}

/** A longer time than this is told by its months. */
const MAX_DAYS = 300;
/** More days, or months with their year, do not fit on a phone. */
const TICKS = { day: 4, month: 3 } as const;
/** Where the only day of a time lies, of its length. */
const MIDDLE = 0.5;

/** The axis of some days, oldest first, each `YYYY-MM-DD`. */
export function timeAxis(dates: readonly string[]): TimeAxis {
  const start = dayNumber(dates[0] ?? '');
  const days = dayNumber(dates.at(-1) ?? '') - start;
  const part = (date: string) => (days > 0 ? (dayNumber(date) - start) / days : MIDDLE);
  const at = (date: string) => GUTTER + part(date) * (100 - GUTTER);
  const style = days > MAX_DAYS ? 'month' : 'day';
  const ticks = spaced(dates, TICKS[style]).map((date) => ({
    at: at(date),
    label: dateText(date, style),
  }));
  return { ticks, at };
}

/** The first, the last, and some between them. */
function spaced(dates: readonly string[], most: number): string[] {
  const last = dates.length - 1;
  const wanted = Math.min(most, dates.length);
  const indexes = Array.from({ length: wanted }, (_, index) =>
    Math.round((index * last) / Math.max(wanted - 1, 1)),
  );
  return indexes.flatMap((index) => dates[index] ?? []);
}
