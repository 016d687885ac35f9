/** Limits a simulated change to what the operator's own similar days have reached. */
import type { LeakDay, LeakEvidence, ReachedDay } from '#core/schema/improvement.ts';
import type { Pillars } from '#core/schema/usage.ts';
import { sumPillars } from '../counting/bucket.ts';
import { dayName } from '../counting/day.ts';
import { significant, unroundedMetric } from '../metrics/metrics.ts';
import { type Leak, type LeakCounts, ratioOf } from './leaks.ts';
import { bestQuartile, mainModel, type MeasuredDay } from './tool-days.ts';

/** A day below the target, before and after the change. */
interface ChangedDay {
  before: MeasuredDay;
  after: LeakCounts;
  /** The number of tokens that move. */
  tokens: number;
}

/** The number of steps in which a change that is too large is scaled down. */
const STEPS = 1000;

/**
 * Raises the days below the target to it, within limits: no day, and not all days together, gets a higher yield
 * than the best quarter of the days has reached, and at most half of a day's leaking tokens move.
 *
 * @param days Similar days.
 */
export function boundedChange(
  days: readonly MeasuredDay[],
  leak: Leak,
  target: number,
): ChangedDay[] {
  const ceiling = bestQuartile(days.map((day) => day.yield));
  const whole = days
    .filter(({ ratio }) => ratio < target)
    .map((day) => changed(day, leak, tokensTo({ day, leak, target, ceiling })));
  const part = (steps: number) =>
    whole.map(({ before, tokens }) => changed(before, leak, Math.floor((tokens * steps) / STEPS)));
  const sum = sumPillars(days.map(({ counts }) => counts));
  const steps = largest(STEPS, (steps) => yieldOf(withChanges(sum, part(steps))) <= ceiling);
  return part(steps).filter(({ tokens }) => tokens > 0);
}

/** The sums after some days have changed. */
export function withChanges(sum: Pillars, changes: readonly ChangedDay[]): Pillars {
  const { input, output, cache_write, cache_read } = sum;
  const after = { input, output, cache_write, cache_read };
  for (const change of changes) {
    const { counts } = change.before;
    after.input += change.after.input - counts.input;
    after.output += change.after.output - counts.output;
    after.cache_read = (after.cache_read ?? 0) + change.after.cache_read - counts.cache_read;
    if (counts.cache_write !== null) {
      const written = (change.after.cache_write ?? 0) - counts.cache_write;
      after.cache_write = (after.cache_write ?? 0) + written;
    }
  }
  return after;
}

function changed(before: MeasuredDay, leak: Leak, tokens: number): ChangedDay {
  return { before, after: leak.change(before.counts, tokens), tokens };
}

/** How many tokens may move on one day. */
function tokensTo(of: { day: MeasuredDay; leak: Leak; target: number; ceiling: number }): number {
  const { leak, target, ceiling } = of;
  const { counts } = of.day;
  const wanted = Math.floor(leak.distance(counts, target));
  const most = Math.min(wanted, Math.floor((counts[leak.source] ?? 0) / 2));
  return largest(most, (tokens) => yieldOf(leak.change(counts, tokens)) <= ceiling);
}

/** The largest integer up to `most` for which `holds` is true, by binary search; 0 if there is none. */
function largest(most: number, holds: (value: number) => boolean): number {
  let low = 0;
  let high = most;
  while (low < high) {
    const middle = high - Math.floor((high - low) / 2);
    if (holds(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

function yieldOf(counts: Pillars): number {
  return unroundedMetric('yield', counts) ?? 0;
}

/** The most days that are listed. */
const SHOWN_DAYS = 5;

/** @param days Similar days, below the target or not. */
export function evidenceOf(
  leak: Leak,
  days: readonly MeasuredDay[],
  changes: readonly ChangedDay[],
): Omit<LeakEvidence, 'days_reached'> {
  const below = sumPillars(changes.map(({ before }) => before.counts));
  const worst = [...changes].sort((a, b) => b.tokens - a.tokens || b.before.day - a.before.day);
  return {
    days: changes.length,
    days_measured: days.length,
    value: significant(ratioOf(leak.ratio, below) ?? 0),
    tokens: changes.reduce((sum, { tokens }) => sum + tokens, 0),
    worst: worst.slice(0, SHOWN_DAYS).map(({ before }) => leakDay(leak, before)),
  };
}

function leakDay(leak: Leak, day: MeasuredDay): LeakDay {
  const { input, output, cache_write, cache_read } = day.counts;
  const model = mainModel(day, leak.source);
  return {
    day: dayName(day.day),
    model,
    input,
    output,
    cache_write,
    cache_read,
    value: significant(day.ratio),
  };
}

/** The listed days, newest first. */
export function reachedDays(days: readonly MeasuredDay[]): ReachedDay[] {
  return days
    .slice(-SHOWN_DAYS)
    .reverse()
    .map(({ day, ratio }) => ({ day: dayName(day), value: significant(ratio) }));
}
