/** UTC days, as text (`YYYY-MM-DD`) and as a number (days since the epoch). */

export const DAY_MS = 24 * 60 * 60 * 1000;

/** The first UTC day that a record may be about. */
export const FIRST_DAY = '2023-01-01';

/** Names of days that records can contain. No others are cached, so that hostile timestamps cannot fill memory. */
const names = new Map<number, string>();
const FIRST_NAMED = 19_358;
const LAST_NAMED = 40_000;

/** An instant in whole seconds since the epoch, as in JWTs. */
export function epochSeconds(at: Date): number {
  return Math.floor(at.getTime() / 1000);
}

/** The UTC day of an instant in milliseconds since the epoch. */
export function utcDay(timestampMs: number): string {
  return dayName(Math.floor(timestampMs / DAY_MS));
}

/** The number of a day, counted from 1970-01-01. */
export function dayNumber(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) / DAY_MS;
}

export function dayAfter(day: string): string {
  return dayName(dayNumber(day) + 1);
}

export function dayBefore(day: string): string {
  return dayName(dayNumber(day) - 1);
}

const WEEK_DAYS = 7;
/** The number of 1969-12-29, a Monday. */
const SOME_MONDAY = -3;

/** The number of the Monday in a day's week. */
export function mondayOf(day: number): number {
  return day - ((day - SOME_MONDAY) % WEEK_DAYS);
}

/**
 * The name of a day's week, as `YYYY-Www`. The year is the one that contains the week's Thursday.
 *
 * @param day From 1969-12-29 on, by number.
 * @see {@link https://www.iso.org/iso-8601-date-and-time-format.html | ISO 8601, week dates}
 */
export function weekName(day: number): string {
  const thursday = mondayOf(day) + 3;
  const year = dayName(thursday).slice(0, 4);
  const week = Math.floor((thursday - dayNumber(`${year}-01-01`)) / WEEK_DAYS) + 1;
  return `${year}-W${String(week).padStart(2, '0')}`;
}

/** The name of a numbered day. */
export function dayName(number: number): string {
  let name = names.get(number);
  if (name === undefined) {
    name = new Date(number * DAY_MS).toISOString().slice(0, 10);
    if (number >= FIRST_NAMED && number <= LAST_NAMED) names.set(number, name);
  }
  return name;
}
