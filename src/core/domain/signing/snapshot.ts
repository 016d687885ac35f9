/**
 * A snapshot: the daily records that a device signed. It is composed on the device and checked on the board. Checks
 * that are cheap and reveal little to strangers come first.
 *
 * @module
 */
import { OperatorRecord } from '#core/schema/record.ts';
import { METRIC_NAMES, DECIMALS, recordMetrics } from '../metrics/metrics.ts';
import {
  type Correction,
  type Covers,
  SNAPSHOT_PAYLOAD_TYPE,
  SNAPSHOT_PAYLOAD_TYPE_2,
  SNAPSHOT_TYPE,
  SNAPSHOT_TYPE_2,
  SnapshotPayload,
  SnapshotPayload2,
  UNREAD_RECORDS,
} from '#core/schema/snapshot.ts';
import { type Bucket, MAX_COUNT, isVisible } from '#core/schema/usage.ts';
import { bucketKey, totalOf } from '../counting/bucket.ts';
import { FIRST_DAY, utcDay } from '../counting/day.ts';
import { DomainError, type ErrorCode } from '../text/errors.ts';
import { parseAs, parseEach } from '../text/faults.ts';
import { FINGERPRINT_VALUES, VALUE_BYTES, parseFingerprint } from '../counting/fingerprint.ts';
import { parseJsonBytes } from '../text/json.ts';
import { bucketOfRecord, composeRecord, isMidnight } from '../metrics/record.ts';

/** How far `issued_at` may be from the board's clock, either way, in milliseconds (10 minutes). */
export const MAX_SKEW_MS = 10 * 60 * 1000;

const UnreadPayload = SnapshotPayload.extend(UNREAD_RECORDS);
const UnreadPayload2 = SnapshotPayload2.extend(UNREAD_RECORDS);

/** A snapshot of either version. */
export interface Snapshot extends Omit<SnapshotPayload, 'type'> {
  /** Undefined in version 1, which cannot state days. */
  covers?: Covers | null | undefined;
}

/** The contents of a snapshot before it is signed. */
interface SnapshotStatement {
  audience: string;
  submission_id: string;
  /** In milliseconds since the epoch. */
  issuedAtMs: number;
  collector: { name: string; version: string };
  correction: Correction | null;
  /** Undefined for version 1. */
  covers?: Covers | null | undefined;
  buckets: readonly Bucket[];
}

/** The exact payload bytes of a snapshot, for an envelope of {@linkcode payloadTypeOf}. */
export function composeSnapshot(statement: SnapshotStatement): Uint8Array {
  const { audience, submission_id, collector, correction, covers } = statement;
  const payload = {
    type: covers === undefined ? SNAPSHOT_TYPE : SNAPSHOT_TYPE_2,
    audience,
    submission_id,
    issued_at: new Date(statement.issuedAtMs).toISOString(),
    collector,
    correction,
    ...(covers !== undefined && { covers }),
    records: statement.buckets.map(composeRecord),
  };
  return new TextEncoder().encode(JSON.stringify(payload));
}

/** The payload type of a snapshot's version. */
export function payloadTypeOf({ covers }: Pick<Snapshot, 'covers'>): string {
  return covers === undefined ? SNAPSHOT_PAYLOAD_TYPE : SNAPSHOT_PAYLOAD_TYPE_2;
}

/**
 * Parses verified payload bytes, once.
 *
 * @param audience The base URL of the board that reads it.
 * @param payloadType The type in the envelope: one of {@linkcode SNAPSHOT_PAYLOAD_TYPES}.
 * @throws {DomainError} `malformed_json`, `json_key_duplicate` or `validation_failed` if the bytes are not a payload.
 * @throws {DomainError} `audience_mismatch` if it was signed for another board.
 */
export function readSnapshot(
  payload: Uint8Array,
  audience: string,
  payloadType: string = SNAPSHOT_PAYLOAD_TYPE,
): Snapshot {
  const what = 'The payload';
  const value = parseJsonBytes(payload);
  const { records, ...head } =
    payloadType === SNAPSHOT_PAYLOAD_TYPE_2
      ? parseAs(UnreadPayload2, value, what)
      : parseAs(UnreadPayload, value, what);
  const snapshot = {
    ...head,
    records: parseEach(OperatorRecord, records, { name: 'records', what }),
  };
  if (snapshot.audience !== audience) {
    const detail = `This board is ${audience}, but the snapshot was signed for ${snapshot.audience}`;
    throw new DomainError('audience_mismatch', detail);
  }
  return snapshot;
}

/**
 * Checks the contents of a snapshot and returns its buckets.
 *
 * @param nowMs The instant of receipt, in milliseconds since the epoch.
 * @throws {DomainError} `snapshot_stale` if `issued_at` is more than {@linkcode MAX_SKEW_MS} from `nowMs`.
 * @throws {DomainError} `validation_failed` for an invalid fingerprint or a name that cannot be displayed,
 *   `window_unsupported`, `day_out_of_range`, `bucket_duplicate`, `count_out_of_range`, `metrics_mismatch`
 *   `correction_invalid`, or `validation_failed` for stated days, in this order of checks.
 */
export function judgeSnapshot(snapshot: Snapshot, nowMs: number): Bucket[] {
  const skewMs = Math.abs(Date.parse(snapshot.issued_at) - nowMs);
  if (skewMs > MAX_SKEW_MS) {
    const seconds = Math.round(skewMs / 1000);
    throw new DomainError(
      'snapshot_stale',
      `issued_at is ${seconds} seconds from the board's clock`,
    );
  }
  checkCollector(snapshot.collector);
  snapshot.records.forEach(checkFingerprint);
  const buckets = judgeRecords(snapshot.records, { nowMs, anyTime: false });
  if (snapshot.correction) checkCorrection(snapshot.correction, lastDayAt(nowMs));
  if (snapshot.covers) checkCovers(snapshot.covers, snapshot.issued_at);
  return buckets;
}

interface Judging {
  nowMs: number;
  /** Whether any instant is accepted for its UTC day. Otherwise it must be the start of the day. */
  anyTime: boolean;
}

/**
 * Checks the records of a submission, signed or not, and returns their buckets.
 *
 * @throws {DomainError} `validation_failed` for a name that cannot be displayed, `window_unsupported`,
 *   `day_out_of_range`, `bucket_duplicate`, `count_out_of_range` or `metrics_mismatch`, in this order of
 *   checks.
 */
export function judgeRecords(
  records: readonly OperatorRecord[],
  { nowMs, anyTime }: Judging,
): Bucket[] {
  const buckets = records.map(bucketOfRecord);
  const lastDay = lastDayAt(nowMs);
  records.forEach(checkNames);
  records.forEach((record, index) => checkTime(record, index, anyTime));
  buckets.forEach((bucket, index) => checkDay(bucket, index, lastDay));
  checkDistinct(buckets);
  checkCounts(buckets);
  records.forEach((record, index) => checkMetrics(record, buckets[index] as Bucket, index));
  return buckets;
}

function lastDayAt(nowMs: number): string {
  return utcDay(nowMs + MAX_SKEW_MS);
}

/** Rejects names that would look the same as others. The schema accepts them, because the log contains some. */
function checkNames({ source }: OperatorRecord, index: number): void {
  for (const [name, text] of Object.entries(source)) {
    const fault = nameFault(text);
    if (fault === null) continue;
    throw recordError('validation_failed', index, `source/${name}`, `The ${name} ${fault}`);
  }
}

function nameFault(text: string): string | null {
  if (text !== text.trim()) return 'must not begin or end with whitespace';
  return isVisible(text) ? null : 'must not contain invisible or unassigned characters';
}

function checkCollector(collector: SnapshotPayload['collector']): void {
  for (const [name, text] of Object.entries(collector)) {
    const fault = nameFault(text);
    if (fault === null) continue;
    const detail = `The collector's ${name} ${fault}`;
    const faults = [{ pointer: `#/collector/${name}`, code: 'validation_failed', detail }];
    throw new DomainError('validation_failed', detail, faults);
  }
}

function checkFingerprint({ context }: OperatorRecord, index: number): void {
  const fingerprint = context?.fingerprint ?? null;
  if (fingerprint === null || parseFingerprint(fingerprint)) return;
  const detail = `The fingerprint must be 1 to ${FINGERPRINT_VALUES} distinct values of ${VALUE_BYTES} bytes in ascending order, encoded as base64url without padding`;
  throw recordError('validation_failed', index, 'context/fingerprint', detail);
}

function checkTime(record: OperatorRecord, index: number, anyTime: boolean): void {
  const window = record.context?.window ?? '1d';
  if (window !== '1d') {
    const detail = `The window "${window}" is not "1d"`;
    throw recordError('window_unsupported', index, 'context/window', detail);
  }
  if (!anyTime && !isMidnight(record)) {
    const detail = `The timestamp ${record.timestamp} is not the start of a UTC day (00:00:00Z)`;
    throw recordError('window_unsupported', index, 'timestamp', detail);
  }
}

function checkDay({ day }: Bucket, index: number, lastDay: string): void {
  if (day >= FIRST_DAY && day <= lastDay) return;
  const detail = `The day ${day} is not between ${FIRST_DAY} and ${lastDay}`;
  throw recordError('day_out_of_range', index, 'timestamp', detail);
}

function checkDistinct(buckets: readonly Bucket[]): void {
  const seen = new Set<string>();
  buckets.forEach((bucket, index) => {
    const key = bucketKey(bucket);
    if (seen.has(key)) {
      const detail = `${bucket.day}, ${bucket.tool}, ${bucket.provider}, ${bucket.model} occurs twice`;
      throw recordError('bucket_duplicate', index, 'source', detail);
    }
    seen.add(key);
  });
}

/** Every addend is at most 2^53-1, so the running sum is exact until it exceeds that. */
function checkCounts(buckets: readonly Bucket[]): void {
  let total = 0;
  buckets.forEach((bucket, index) => {
    total += totalOf(bucket);
    if (total <= MAX_COUNT) return;
    throw recordError(
      'count_out_of_range',
      index,
      'telemetry',
      'The counts exceed 2^53-1 in total',
    );
  });
}

/** Compares the stated metrics with the board's own, which it stores. They may differ by one unit of the last decimal. */
function checkMetrics(record: OperatorRecord, bucket: Bucket, index: number): void {
  const own = recordMetrics(bucket);
  for (const name of METRIC_NAMES) {
    const claimed = record.metrics[name];
    const actual = own[name];
    if (claimed === actual) continue;
    if (claimed !== null && actual !== null && isWithinUnit(claimed, actual, DECIMALS[name]))
      continue;
    const detail = `${name} is ${claimed}, but the counts give ${actual}`;
    throw recordError('metrics_mismatch', index, `metrics/${name}`, detail);
  }
}

/** One unit of the last decimal, plus the floating-point error of the difference. */
function isWithinUnit(claimed: number, actual: number, decimals: number): boolean {
  const unit = 10 ** -decimals;
  return Math.abs(claimed - actual) <= unit * (1 + 1e-9) + 4 * Number.EPSILON * Math.abs(actual);
}

function checkCorrection({ from, to }: Correction, lastDay: string): void {
  if (from >= FIRST_DAY && from <= to && to <= lastDay) return;
  const detail = `The days ${from} to ${to} are not a range between ${FIRST_DAY} and ${lastDay}`;
  throw new DomainError('correction_invalid', detail);
}

/** A device cannot state the day on which it signs, because more tokens may follow. */
function checkCovers({ from, to }: Covers, issuedAt: string): void {
  const today = utcDay(Date.parse(issuedAt));
  if (from >= FIRST_DAY && from <= to && to < today) return;
  const detail = `The stated days ${from} to ${to} are not a range from ${FIRST_DAY} to the day before ${today}`;
  const faults = [{ pointer: '#/covers', code: 'validation_failed', detail }];
  throw new DomainError('validation_failed', detail, faults);
}

function recordError(code: ErrorCode, index: number, place: string, detail: string): DomainError {
  return new DomainError(code, detail, [{ pointer: `#/records/${index}/${place}`, code, detail }]);
}
