/** Operator Records that were pasted. */
import { OperatorRecord } from '../schema/record.ts';
import { METRIC_NAMES, recordMetrics } from '../domain/metrics/metrics.ts';
import { bucketKey, sortBuckets, totalOf } from '../domain/counting/bucket.ts';
import { bucketOfRecord } from '../domain/metrics/record.ts';
import { DomainError } from '../domain/text/errors.ts';
import { IN_WORDS, faultsOf } from '../domain/text/faults.ts';
import type { Bucket } from '../schema/usage.ts';
import type { Fields } from './fields.ts';

/** Whether an object is meant to be a record; whether it is one is for the schema to say. */
export function isRecord(fields: Fields): boolean {
  return 'spec' in fields && 'telemetry' in fields;
}

/**
 * The buckets that records state, each once.
 *
 * @throws {DomainError} `ingest_unreadable` if one is no daily record, or two contradict each other.
 */
export function readRecords(values: readonly unknown[]) {
  if (values.length === 0) throw refused('The list is empty');
  const buckets = new Map<string, Bucket>();
  const warnings = new Set<string>();
  values.forEach((value, index) => {
    const record = parseRecord(value, index);
    const bucket = bucketOfRecord(record);
    const known = buckets.get(bucketKey(bucket));
    if (known && !areEqual(known, bucket)) {
      throw refused(`Record ${index + 1} contradicts an earlier one of the same day and source`);
    }
    if (known) warnings.add('records_repeated');
    if (hasOtherMetrics(record, bucket)) warnings.add('metrics_recomputed');
    buckets.set(bucketKey(bucket), bucket);
  });
  const told = [...warnings].sort().map((code) => ({ code, detail: WARNINGS[code] ?? '' }));
  return { buckets: sortBuckets([...buckets.values()]), warnings: told };
}

const WARNINGS: Readonly<Record<string, string>> = {
  metrics_recomputed: 'Metrics that did not follow from the counts were computed anew.',
  records_repeated: 'Records that stood there more than once are counted once.',
};

function parseRecord(value: unknown, index: number): OperatorRecord {
  const parsed = OperatorRecord.safeParse(value, IN_WORDS);
  const place = `Record ${index + 1}`;
  if (!parsed.success) {
    const faults = faultsOf(parsed.error.issues);
    const where = faults.map(({ pointer, detail }) => `${pointer}: ${detail}`).join('; ');
    throw new DomainError('ingest_unreadable', `${place} is no Operator Record (${where})`);
  }
  const window = parsed.data.context?.window ?? '1d';
  if (window !== '1d') throw refused(`${place} covers more than one UTC day`);
  return parsed.data;
}

function areEqual(a: Bucket, b: Bucket): boolean {
  const sameCaches = a.cache_write === b.cache_write && a.cache_read === b.cache_read;
  return sameCaches && a.input === b.input && totalOf(a) === totalOf(b);
}

function hasOtherMetrics({ metrics }: OperatorRecord, bucket: Bucket): boolean {
  const own = recordMetrics(bucket);
  return METRIC_NAMES.some((name) => metrics[name] !== own[name]);
}

function refused(detail: string): DomainError {
  return new DomainError('ingest_unreadable', `These are Operator Records. ${detail}`);
}
