/**
 * The share of stated days that ranking rules and challenges can require. It follows from the public log alone, and it is
 * about an account: a day is stated by its signed tokens, whatever the tool, or by a span that a device stated.
 *
 * @module
 */

import type { Eligibility } from './ruleset.ts';

/** Consecutive days by number, counted from 1970-01-01, both included. */
export type DaySpan = readonly [from: number, to: number];

/** The stated days of an account, ascending, with gaps in between. */
export type StatedSpans = readonly DaySpan[];

/**
 * Joins everything that states days.
 *
 * @param days The days with signed tokens that count, ascending.
 * @param covered The spans of days that accepted snapshots state, in any order. They may overlap.
 */
export function statedSpans(days: readonly number[], covered: readonly DaySpan[]): StatedSpans {
  const joined: [from: number, to: number][] = [];
  const add = (from: number, to: number) => {
    const last = joined.at(-1);
    if (last && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else joined.push([from, to]);
  };
  let next = 0;
  const addDaysBefore = (limit: number) => {
    for (let day = days[next]; day !== undefined && day < limit; day = days[next]) {
      add(day, day);
      next += 1;
    }
  };
  for (const [from, to] of covered.toSorted(([a], [b]) => a - b)) {
    addDaysBefore(from);
    add(from, to);
  }
  addDaysBefore(Infinity);
  return joined;
}

/** The first and last day of a window. The first may be minus infinity. */
type Window = Readonly<Record<'first' | 'last', number>>;

/**
 * The share of stated days in a window, from 0 to 1, among the days from the account's first to its last stated day. Later
 * days may still be stated. 0 if the window has no stated day.
 */
export function statedShare(spans: StatedSpans, window: Window): number {
  const begin = Math.max(window.first, spans[0]?.[0] ?? Infinity);
  const end = Math.min(window.last, spans.at(-1)?.[1] ?? -Infinity);
  if (begin > end) return 0;
  let stated = 0;
  for (const [from, to] of spans) {
    stated += Math.max(0, Math.min(to, end) - Math.max(from, begin) + 1);
  }
  return stated / (end - begin + 1);
}

/**
 * The share for a rank with these requirements; null if they require none.
 *
 * @param spans Null if nothing requires stated days, so that nobody reads them.
 */
export function shareFor(
  { stated_days }: Pick<Eligibility, 'stated_days'>,
  spans: StatedSpans | null,
  window: Window,
): number | null {
  return stated_days ? statedShare(spans ?? [], window) : null;
}
