/** What the logs on this device add up to, as data. */
import { sumPillars, totalOf } from '#core/domain/counting/bucket.ts';
import { dayName, dayNumber, utcDay } from '#core/domain/counting/day.ts';
import { skippedLines } from '#core/readers/reader.ts';
import { orUsageFailure } from '../failure.ts';
import type { ScanResult } from '../logs/scan.ts';

/** What a scan found of so many last UTC days, today included; all if absent. Its sources stay those of all days. */
export function lastDays<Found extends Pick<ScanResult, 'buckets'>>(
  found: Found,
  days: number | undefined,
  nowMs: number,
): Found {
  if (days === undefined) return found;
  const first = firstOf(days, nowMs);
  return { ...found, buckets: found.buckets.filter(({ day }) => day >= first) };
}

/** The first of so many last UTC days. */
export function firstOf(days: number, nowMs: number): string {
  return dayName(dayNumber(utcDay(nowMs)) - days + 1);
}

/**
 * What a scan found, without the records.
 *
 * @throws {Failure} `usage` if the logs hold more tokens than can be counted.
 */
export function scanReport({ buckets, sources, notes }: ScanResult) {
  const totals = orUsageFailure(() => sumPillars(buckets));
  return {
    totals: { ...totals, total: totalOf(totals) },
    days: new Set(buckets.map(({ day }) => day)).size,
    sources: sources.map(({ tool, roots, files, events, skipped, unreadable }) => {
      const skipped_lines = skippedLines(skipped);
      return { tool, roots, files, events, skipped_lines, skipped, unreadable };
    }),
    notes,
  };
}
