/**
 * A submission as a stranger reads it from the public log: nothing in it is taken for granted.
 *
 * @module
 */
import { StatementPayload } from '#core/schema/log-payload.ts';
import type { OperatorRecord } from '#core/schema/record.ts';
import {
  LoggedEnvelope,
  SELF_REPORT_PAYLOAD_TYPE,
  type SelfReportPayload,
} from '#core/schema/self-report.ts';
import {
  type Correction,
  SNAPSHOT_PAYLOAD_TYPE,
  type SnapshotPayload,
} from '#core/schema/snapshot.ts';
import type { Bucket } from '#core/schema/usage.ts';
import { fromBase64 } from '../text/base64.ts';
import { type OpenedEnvelope, takeApart } from '../signing/dsse.ts';
import { DomainError } from '../text/errors.ts';
import { parseAs } from '../text/faults.ts';
import { parseJson, parseJsonBytes } from '../text/json.ts';
import { bucketOfRecord } from '../metrics/record.ts';

/** What a submission states, and in whose name. */
export interface LoggedStatement {
  /** Null where nobody signed. */
  envelope: OpenedEnvelope | null;
  /** The account that it names; null where the key does. */
  operator: string | null;
  /** The board that it was signed for; null where it names none. */
  audience: string | null;
  /** The name that its sender gave it, and the program that made it. */
  submission_id: string | null;
  collector: { name: string; version: string } | null;
  correction: Correction | null;
  buckets: Bucket[];
}

/**
 * Reads the payload of a `snapshot` entry.
 *
 * @throws {DomainError} if it is none; its signature is not looked at.
 */
export function readStatement(payload: string): LoggedStatement {
  const value = parseJson(payload);
  const { payloadType, payload: body, signatures } = parseAs(LoggedEnvelope, value, 'The envelope');
  const isSigned = payloadType !== SELF_REPORT_PAYLOAD_TYPE;
  const envelope = isSigned ? takeApart(value, SNAPSHOT_PAYLOAD_TYPE) : null;
  const bytes = fromBase64(body);
  if (!bytes) throw new DomainError('envelope_invalid', 'The payload is not canonical base64');
  const read = parseAs(StatementPayload, parseJsonBytes(bytes), 'The payload');
  const head = headOf(read);
  if (!isSigned && (head.operator === null || signatures.length > 0)) {
    throw new DomainError('envelope_invalid', 'What nobody signed must name its operator');
  }
  return {
    ...head,
    envelope,
    operator: isSigned ? null : head.operator,
    // A bucket needs no more of a record than was checked.
    buckets: read.records.map((record) => bucketOfRecord(record as OperatorRecord)),
  };
}

/** What it says besides its records; null for what it does not say. */
function headOf(payload: StatementPayload) {
  const { operator, audience, submission_id, collector, correction } = payload;
  return {
    operator: operator ?? null,
    audience: audience ?? null,
    submission_id: submission_id ?? null,
    collector: collector ?? null,
    correction: correction ?? null,
  };
}

/** What a logged snapshot states. */
export interface LoggedSnapshot {
  correction: Correction | null;
  buckets: Bucket[];
}

/** What a submission speaks of. */
export interface SubmissionFacts {
  /** Different UTC days. */
  days: number;
  first_day: string;
  last_day: string;
  /** Different tools, sorted by code unit. */
  tools: string[];
}

/**
 * Reads a submission as the log holds it, signed or not. It was judged when it came in, so nothing is judged again: a
 * rule or an address that has changed since does not change what was accepted.
 *
 * @param payload The envelope's JSON, as the board wrote it.
 */
export function readLoggedSnapshot(payload: Uint8Array): LoggedSnapshot {
  const decoder = new TextDecoder();
  const envelope = JSON.parse(decoder.decode(payload)) as LoggedEnvelope;
  const bytes = fromBase64(envelope.payload) ?? new Uint8Array();
  const statement = JSON.parse(decoder.decode(bytes)) as SelfReportPayload | SnapshotPayload;
  const correction = 'correction' in statement ? statement.correction : null;
  return { correction, buckets: statement.records.map(bucketOfRecord) };
}

/** The facts of a submission's buckets, of which there is at least one. */
export function factsOf(buckets: readonly Bucket[]): SubmissionFacts {
  const days = [...new Set(buckets.map(({ day }) => day))].sort();
  const tools = [...new Set(buckets.map(({ tool }) => tool))].sort();
  return { days: days.length, first_day: days[0] ?? '', last_day: days.at(-1) ?? '', tools };
}
