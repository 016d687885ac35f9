/** The Operator Record of several buckets together. It is for display and never signed. */
import type { OperatorRecord } from '#core/schema/record.ts';
import { type Bucket, type Pillars, RECORD_SPEC, UNKNOWN } from '#core/schema/usage.ts';
import { sumPillars } from '../counting/bucket.ts';
import { BASIS, type Basis, reportsRead, reportsReadWrite } from './day-series.ts';
import { METRIC_NAMES, forEachMetric, metricWarnings, recordMetrics } from './metrics.ts';

/** The name for several providers, models or tools. */
const MIXED = 'mixed';

/** The counts that a bucket must report to be in a basis. */
const NEEDED: Readonly<Record<Basis, string>> = {
  all: 'nothing',
  read: 'cache_read',
  read_write: 'cache_read and cache_write',
};

/**
 * The record of a window. Its pillars are the sums of all buckets. Each metric is computed over the buckets that
 * report what it needs, with a warning if those are not all.
 *
 * @param window The window's name for `context.window`; absent if the counts have none.
 * @param timestamp When the window ends.
 * @throws {DomainError} `count_out_of_range` if the total is above 2^53-1.
 */
export function composeWindowRecord(
  buckets: readonly Bucket[],
  { window, timestamp }: { window?: string; timestamp: string },
): OperatorRecord {
  const all = sumPillars(buckets);
  const sums: Record<Basis, Pillars> = {
    all,
    read: sumOr(buckets.filter(reportsRead), all),
    read_write: sumOr(buckets.filter(reportsReadWrite), notTogether(all)),
  };
  const { input, output, cache_write, cache_read } = all;
  return {
    spec: RECORD_SPEC,
    timestamp,
    source: {
      provider: sharedName(buckets, 'provider'),
      model: sharedName(buckets, 'model'),
      tool: sharedName(buckets, 'tool'),
    },
    telemetry: { input, output, cache_write, cache_read },
    metrics: forEachMetric((name) => recordMetrics(sums[BASIS[name]])[name]),
    warnings: warningsOf(sums),
    ...(window !== undefined && { context: { window } }),
  };
}

/** The sum of the buckets of a basis. Without buckets, counts whose nulls show what is missing. */
function sumOr(buckets: readonly Bucket[], missing: Pillars): Pillars {
  return buckets.length > 0 ? sumPillars(buckets) : missing;
}

/** The counts for a basis that no bucket satisfies: some report reads and others writes, but none both. */
function notTogether(all: Pillars): Pillars {
  return all.cache_read === null ? all : { ...all, cache_write: null };
}

function sharedName(buckets: readonly Bucket[], part: 'provider' | 'model' | 'tool'): string {
  const [first = UNKNOWN, ...others] = new Set(buckets.map((bucket) => bucket[part]));
  return others.length === 0 ? first : MIXED;
}

/** Unreported pillars first, as in every record, then each metric that is undefined or partial. */
function warningsOf(sums: Record<Basis, Pillars>): string[] {
  const causes = metricWarnings(sums.all).filter((line) => line.endsWith('_unavailable'));
  const metrics = METRIC_NAMES.flatMap((name) => {
    const basis = sums[BASIS[name]];
    const lines = metricWarnings(basis).filter((line) => line.startsWith(`${name}_undefined`));
    if (lines.length > 0 || basis.output === sums.all.output) return lines;
    const percent = ((100 * basis.output) / sums.all.output).toFixed(1);
    return [`${name}_partial: ${NEEDED[BASIS[name]]} reported for ${percent}% of the output`];
  });
  return [...causes, ...metrics];
}
