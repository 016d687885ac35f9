/** The option `--since`: a UTC day, or a number of days. */
import { UsageError } from '#core/cli/arguments.ts';
import { dayName, dayNumber, utcDay } from '#core/domain/counting/day.ts';
import { plain } from '#core/domain/text/terminal-text.ts';
import { EXIT, Failure } from './failure.ts';

/** The first day, or the number of UTC days up to today, today included. */
export type Since = { day: string } | { days: number };

const MOST_DAYS = 3660;

/** @throws {UsageError} if the text is neither a day nor a number of days. */
export function readSince(text: string, option: string): Since {
  const [, count] = /^(\d{1,4})d$/.exec(text) ?? [];
  if (count !== undefined && Number(count) >= 1 && Number(count) <= MOST_DAYS) {
    return { days: Number(count) };
  }
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text) && isReal(text);
  if (isDay) return { day: text };
  throw new UsageError(
    `--${option} takes a day such as 2026-11-01, or 1d to ${MOST_DAYS}d, not "${plain(text)}"`,
  );
}

/** Whether a day exists, unlike February 30. */
function isReal(day: string): boolean {
  const number = dayNumber(day);
  return Number.isInteger(number) && dayName(number) === day;
}

/** The first of the last UTC days, today included. */
export function firstOfLast(days: number, nowMs: number): string {
  return dayName(dayNumber(utcDay(nowMs)) - days + 1);
}

/**
 * The first day.
 *
 * @throws {Failure} `usage` if it is after today.
 */
export function firstDayAt(since: Since, nowMs: number): string {
  if ('days' in since) return firstOfLast(since.days, nowMs);
  const today = utcDay(nowMs);
  if (since.day <= today) return since.day;
  throw new Failure(EXIT.usage, `--since ${since.day} is after today, which is ${today} in UTC`);
}
