/** The Operator Record, composed in one place: of a daily bucket, with metrics and warnings. */
import type { OperatorRecord } from '#core/schema/record.ts';
import { type Bucket, RECORD_SPEC } from '#core/schema/usage.ts';
import { DAY_MS, utcDay } from '../counting/day.ts';
import { parseFingerprint } from '../counting/fingerprint.ts';
import { metricWarnings, recordMetrics } from './metrics.ts';

/** The record of one daily bucket: stamped with the day's 00:00:00Z and `context.window` `1d`. */
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
 * The bucket that a record states, its instant folded to the UTC day; an absent pillar is null. What is no
 * fingerprint, as logs of earlier boards may hold it, is left out.
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

/** Whether a record's instant is the first of its UTC day, as a signed record's must be. */
export function isMidnight({ timestamp }: OperatorRecord): boolean {
  return Date.parse(timestamp) % DAY_MS === 0;
}
