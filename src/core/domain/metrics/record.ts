/** Converts between daily buckets and Operator Records. */
import type { OperatorRecord } from '#core/schema/record.ts';
import { type Bucket, RECORD_SPEC } from '#core/schema/usage.ts';
import { DAY_MS, utcDay } from '../counting/day.ts';
import { parseFingerprint } from '../counting/fingerprint.ts';
import { metricWarnings, recordMetrics } from './metrics.ts';

/** The record of one daily bucket. Its timestamp is 00:00:00Z of the day, its `context.window` is `1d`. */
export function composeRecord(bucket: Bucket): OperatorRecord {
  const { day, provider, model, tool, input, output, cache_write, cache_read, fingerprint } =
    bucket;
  return {
    spec: RECORD_SPEC,
    timestamp: `${day}T00:00:00Z`,
    source: { provider, model, tool },
    telemetry: { input, output, cache_write, cache_read },
    metrics: recordMetrics(bucket),
    warnings: metricWarnings(bucket),
    context: { window: '1d', ...(fingerprint !== undefined && { fingerprint }) },
  };
}

/**
 * The bucket of a record. Its timestamp becomes the UTC day, and an absent pillar becomes null. An invalid
 * fingerprint, which logs of earlier boards may contain, is left out.
 */
export function bucketOfRecord({ timestamp, source, telemetry, context }: OperatorRecord): Bucket {
  const fingerprint = context?.fingerprint ?? undefined;
  return {
    day: utcDay(Date.parse(timestamp)),
    provider: source.provider,
    model: source.model,
    tool: source.tool,
    input: telemetry.input,
    output: telemetry.output,
    cache_write: telemetry.cache_write ?? null,
    cache_read: telemetry.cache_read ?? null,
    ...(parseFingerprint(fingerprint) && { fingerprint }),
  };
}

/** Whether a record's timestamp is the start of its UTC day. Required in signed records. */
export function isMidnight({ timestamp }: OperatorRecord): boolean {
  return Date.parse(timestamp) % DAY_MS === 0;
}
