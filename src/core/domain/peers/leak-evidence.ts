/** What own days show of a leak: those below the target, and those that reached it. */
import type { LeakDay, LeakEvidence, ReachedDay } from '#core/schema/improvement.ts';
import type { ChangedDay } from './bounded-change.ts';
import { sumPillars } from '../counting/bucket.ts';
import { dayName } from '../counting/day.ts';
import { type Leak, ratioOf } from './leaks.ts';
import { significant } from '../metrics/metrics.ts';
import { type MeasuredDay, mainModel } from './tool-days.ts';

/** How many days are shown. */
const SHOWN_DAYS = 5;

/** @param days Of one kind, whether below the target or not. */
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

/** Those of the days that are shown, newest first. */
export function reachedDays(days: readonly MeasuredDay[]): ReachedDay[] {
  return days
    .slice(-SHOWN_DAYS)
    .reverse()
    .map(({ day, ratio }) => ({ day: dayName(day), value: significant(ratio) }));
}
