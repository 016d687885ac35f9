/** What the logs on this device add up to, as data. */
import { sumPillars, totalOf } from '#core/domain/bucket.ts';
import { skippedLines } from '#core/readers/skips.ts';
import { orUsageFailure } from '../failure.ts';
import type { ScanResult } from '../logs/scan.ts';

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
