/** Scans as CSV. */
import { totalOf } from '#core/domain/counting/bucket.ts';
import type { Bucket } from '#core/schema/usage.ts';
import type { GroupedCounts } from '../loop/grouped.ts';
import { csvText } from './csv.ts';

const COUNTS = ['input', 'output', 'cache_write', 'cache_read', 'total'] as const;

/** Daily counts, one in each row. */
export function countsCsv(buckets: readonly Bucket[]): string {
  const rows = buckets.map((bucket) => {
    const { day, tool, provider, model, input, output, cache_write, cache_read } = bucket;
    return [day, tool, provider, model, input, output, cache_write, cache_read, totalOf(bucket)];
  });
  return csvText(['day', 'tool', 'provider', 'model', ...COUNTS], rows);
}

/** Groups, one in each row, with a column for each part of their names. */
export function groupedCsv(groups: readonly GroupedCounts[], parts: readonly string[]): string {
  const rows = groups.map(({ name, totals, days, yield: value, interval }) => [
    ...parts.map((part) => name[part] ?? ''),
    ...COUNTS.map((count) => totals[count]),
    days,
    value,
    interval?.[0] ?? null,
    interval?.[1] ?? null,
  ]);
  return csvText([...parts, ...COUNTS, 'days', 'yield', 'yield_low', 'yield_high'], rows);
}
