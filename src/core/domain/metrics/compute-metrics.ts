/** Computes metrics of counts with the functions that a board uses. */
import type { Totals } from '#core/schema/board.ts';
import type { Cascade, Shape } from '#core/schema/operator.ts';
import type { Metrics } from '#core/schema/record.ts';
import type { Pillars } from '#core/schema/usage.ts';
import { sumPillars, totalOf } from '../counting/bucket.ts';
import { BASIS, type Basis, reportsRead, reportsReadWrite } from './day-series.ts';
import { METRIC_NAMES, metricWarnings, recordMetrics, significant } from './metrics.ts';
import { metricsOf, totalsOf } from './standing.ts';

/** The results for each record and for all records together. */
interface Computed {
  /** Rounded as in Operator Records, in the given order, with a line for each null. */
  records: { metrics: Metrics; warnings: string[] }[];
  together: {
    totals: Totals;
    /** To 12 significant digits, each over the records that report what it needs. */
    metrics: Metrics;
    warnings: string[];
    cascade: Cascade;
    /** Null without tokens. */
    shape: Shape | null;
  };
}

/**
 * The metrics of records.
 *
 * @param records Counts from 0 to 2^53-1; at least one record.
 * @throws {DomainError} `count_out_of_range` if all together are above 2^53-1.
 */
export function computeMetrics(records: readonly Pillars[]): Computed {
  const all = sumPillars(records);
  const metrics = metricsOf(records);
  return {
    records: records.map((counts) => ({
      metrics: recordMetrics(counts),
      warnings: metricWarnings(counts),
    })),
    together: {
      totals: totalsOf(all),
      metrics,
      warnings: METRIC_NAMES.filter((name) => metrics[name] === null).flatMap((name) =>
        metricWarnings(basisOf(records, all, BASIS[name])).filter((line) => line.startsWith(name)),
      ),
      cascade: cascadeOf(sumPillars(records.filter(reportsReadWrite))),
      shape: totalOf(all) === 0 ? null : shapeOf(all),
    },
  };
}

/** The sums that a metric is computed from. If no record reports what it needs, the missing pillar is null. */
function basisOf(records: readonly Pillars[], all: Pillars, basis: Basis): Pillars {
  if (basis === 'all') return all;
  const reporting = records.filter(basis === 'read' ? reportsRead : reportsReadWrite);
  if (reporting.length > 0) return sumPillars(reporting);
  return { ...all, [basis === 'read' ? 'cache_read' : 'cache_write']: null };
}

/**
 * The stages of the cascade to 12 significant digits; their product is leverage.
 *
 * @param counts The sums over the buckets that report both cache pillars.
 */
export function cascadeOf({ input, output, cache_write, cache_read }: Pillars): Cascade {
  return {
    transmission: ratio(output, input),
    commitment: ratio(cache_write, output),
    reuse: ratio(cache_read, cache_write),
  };
}

/**
 * The pillars' shares of all tokens, to 12 significant digits.
 *
 * @param counts Their total is above zero.
 */
export function shapeOf(counts: Pillars): Shape {
  const total = totalOf(counts);
  const { input, output, cache_write, cache_read } = counts;
  return {
    input: significant(input / total),
    output: significant(output / total),
    cache_write: ratio(cache_write, total),
    cache_read: ratio(cache_read, total),
  };
}

function ratio(part: number | null, whole: number | null): number | null {
  return part === null || whole === null || whole === 0 ? null : significant(part / whole);
}
