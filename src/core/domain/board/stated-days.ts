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
  /** The spans of days that accepted submissions state. */
  covered: readonly (readonly [from: number, to: number])[];
  changed: ReadonlyMap<number, ChangedDay>;
  /** The first day for which `changed` is complete. */
  changesKnownFrom: number;
}

/**
 * Counts the days of a window, from the operator's first day on.
 *
 * @param window The first and last day. The first may be minus infinity. The last day may not be over, so it is left out if it has no
 *   tokens.
 * @returns Null if the window has no day with tokens and no stated day.
 */
export function statedDays(
  window: { first: number; last: number },
  known: KnownDays,
): StatedDays | null {
  const { tokens, covered } = known;
  const stated = new Set<number>();
  for (const [from, to] of covered) {
    const end = Math.min(to, window.last);
    for (let day = Math.max(from, window.first); day <= end; day += 1) stated.add(day);
  }
  const hasTokens = (day: number) => (tokens.get(day) ?? 0) > 0;
  const begun = firstDay(tokens, covered);
  const first = Math.max(window.first, begun);
  const last = hasTokens(window.last) ? window.last : window.last - 1;
  if (first > last) return null;
  const days = Array.from({ length: last - first + 1 }, (_, at) => first + at);
  const active = days.filter(hasTokens);
  const without = days.filter((day) => !hasTokens(day) && stated.has(day));
  return {
    first_day: dayName(first),
    last_day: dayName(last),
    with_tokens: active.length,
    without_tokens: without.length,
    not_stated: days.length - active.length - without.length,
    in_time: shareInTime(active, known),
    lowered: days.filter((day) => known.changed.get(day)?.is_lowered === 1).length,
  };
}

/** The first day with tokens or that was stated; infinity if there is none. */
function firstDay(tokens: KnownDays['tokens'], covered: KnownDays['covered']): number {
  let first = Number.POSITIVE_INFINITY;
  for (const [day, total] of tokens) if (total > 0) first = Math.min(first, day);
  for (const [from] of covered) first = Math.min(first, from);
  return first;
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
