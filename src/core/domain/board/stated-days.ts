/**
 * Which days of a window an operator's devices stated, and when. It shows how complete and how timely the statements are,
 * not whether they are true.
 *
 * @module
 */
import type { StatedDays } from '#core/schema/operator.ts';
import type { ChangedDay } from '../counting/changed-day.ts';
import { dayName } from '../counting/day.ts';

/** What is known about an operator's days. All days are numbers, counted from 1970-01-01. */
interface KnownDays {
  /** The signed tokens that count, by day. */
  tokens: ReadonlyMap<number, number>;
  /** The spans of days that accepted submissions state, by first day. */
  covered: readonly (readonly [from: number, to: number])[];
  changed: ReadonlyMap<number, ChangedDay>;
  /** The first day for which `changed` is complete. */
  changesKnownFrom: number;
}

/**
 * Counts the days of a window, from the first to the last day that was stated, with or without tokens. Later days may
 * still be stated.
 *
 * @param window The first and last day. The first may be minus infinity.
 * @returns Null if the window has no such day.
 */
export function statedDays(
  window: { first: number; last: number },
  known: KnownDays,
): StatedDays | null {
  const { tokens, covered, changed } = known;
  const hasTokens = (day: number) => (tokens.get(day) ?? 0) > 0;
  // A changed day had tokens once.
  const single = [...[...tokens.keys()].filter(hasTokens), ...changed.keys()].sort((a, b) => a - b);
  const first = covered.reduce((least, [from]) => Math.min(least, from), single[0] ?? Infinity);
  const last = covered.reduce((most, [, to]) => Math.max(most, to), single.at(-1) ?? -Infinity);
  const days = daysBetween(Math.max(first, window.first), Math.min(last, window.last));
  const [begin, end] = [days[0], days.at(-1)];
  if (begin === undefined || end === undefined) return null;
  const stated = daysIn(covered, { begin, end });
  const active = days.filter(hasTokens);
  const without = days.filter((day) => !hasTokens(day) && stated.has(day));
  return {
    first_day: dayName(begin),
    last_day: dayName(end),
    with_tokens: active.length,
    without_tokens: without.length,
    not_stated: days.length - active.length - without.length,
    in_time: shareInTime(active, known),
    lowered: days.filter((day) => changed.get(day)?.is_lowered === 1).length,
  };
}

/** The days of a window that spans contain. Each is visited once, even if many spans overlap. */
function daysIn(spans: KnownDays['covered'], { begin, end }: { begin: number; end: number }) {
  const found = new Set<number>();
  let next = begin;
  for (const [from, to] of spans) {
    for (let day = Math.max(from, next); day <= Math.min(to, end); day += 1) {
      found.add(day);
      next = day + 1;
    }
  }
  return found;
}

/** All days from the first to the last one; none if the last is before the first. */
function daysBetween(first: number, last: number): number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at);
}

/** The share of tokens that were stated by the end of the next day; null if no day is known. */
function shareInTime(days: readonly number[], { tokens, changed, changesKnownFrom }: KnownDays) {
  let total = 0;
  let inTime = 0;
  for (const day of days) {
    if (day < changesKnownFrom) continue;
    const all = tokens.get(day) ?? 0;
    total += all;
    inTime += Math.min(all, changed.get(day)?.in_time ?? all);
  }
  return total === 0 ? null : inTime / total;
}
