/**
 * Parses a submission from the public log without trusting anything in it.
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
  type Covers,
  SNAPSHOT_PAYLOAD_TYPES,
  type SnapshotPayload,
  type SnapshotPayload2,
} from '#core/schema/snapshot.ts';
import type { Bucket } from '#core/schema/usage.ts';
import { fromBase64 } from '../text/base64.ts';
import { type OpenedEnvelope, openEnvelope, takeApart } from '../signing/dsse.ts';
import { DomainError } from '../text/errors.ts';
import { parseAs } from '../text/faults.ts';
import { decodeUtf8, parseJson, parseJsonBytes } from '../text/json.ts';
import { bucketOfRecord } from '../metrics/record.ts';

/** The contents of a submission and its sender. */
export interface LoggedStatement {
  /** Null if it is not signed. */
  envelope: OpenedEnvelope | null;
  /** The account that it names; null if the key identifies it. */
  operator: string | null;
  /** The board that it was signed for; null if it names none. */
  audience: string | null;
  /** The ID from its sender, and the program that made it. */
  submission_id: string | null;
  collector: { name: string; version: string } | null;
  correction: Correction | null;
  covers: Pick<Covers, 'from' | 'to'> | null;
  buckets: Bucket[];
}

/**
 * Reads the payload of a `snapshot` entry.
 *
 * @throws {DomainError} if it is invalid. The signature is not checked.
 */
export function readStatement(payload: string): LoggedStatement {
  const value = parseJson(payload);
  const { payloadType, payload: body, signatures } = parseAs(LoggedEnvelope, value, 'The envelope');
  const isSigned = payloadType !== SELF_REPORT_PAYLOAD_TYPE;
  const envelope = isSigned ? takeApart(value, SNAPSHOT_PAYLOAD_TYPES) : null;
  const bytes = envelope?.payload ?? fromBase64(body);
  if (!bytes) throw new DomainError('envelope_invalid', 'The payload is not canonical base64');
  const read = parseAs(StatementPayload, parseJsonBytes(bytes), 'The payload');
  const head = headOf(read);
  if (!isSigned && (head.operator === null || signatures.length > 0)) {
    throw new DomainError('envelope_invalid', 'An unsigned submission must name its operator');
  }
  return statementOf(read, envelope);
}

/**
 * Reads a payload that {@linkcode readStatement} has accepted before, without checking its form again: about five times
 * as fast.
 */
export function readStatementAgain(payload: string): LoggedStatement {
  const { payloadType, payload: body, signatures } = JSON.parse(payload) as LoggedEnvelope;
  const [{ keyid, sig } = { keyid: '', sig: '' }] = signatures;
  const isSigned = payloadType !== SELF_REPORT_PAYLOAD_TYPE;
  const envelope = isSigned ? openEnvelope({ payloadType, keyid, payload: body, sig }) : null;
  const bytes = envelope?.payload ?? Buffer.from(body, 'base64');
  return statementOf(JSON.parse(decodeUtf8(bytes)) as StatementPayload, envelope);
}

function statementOf(read: StatementPayload, envelope: OpenedEnvelope | null): LoggedStatement {
  const head = headOf(read);
  return {
    ...head,
    envelope,
    operator: envelope ? null : head.operator,
    // Only the checked members of a record are used for a bucket.
    buckets: read.records.map((record) => bucketOfRecord(record as OperatorRecord)),
  };
}

/** The members other than the records; null if absent. */
function headOf(payload: StatementPayload) {
  const { operator, audience, submission_id, collector, correction, covers } = payload;
  return {
    operator: operator ?? null,
    audience: audience ?? null,
    submission_id: submission_id ?? null,
    collector: collector ?? null,
    correction: correction ?? null,
    covers: covers ?? null,
  };
}

/** The contents of a logged snapshot. */
export interface LoggedSnapshot {
  correction: Correction | null;
  covers: Covers | null;
  buckets: Bucket[];
}

type Statement = SelfReportPayload | SnapshotPayload | SnapshotPayload2;

/** A summary of a submission. */
export interface SubmissionFacts {
  /** The number of distinct UTC days. */
  days: number;
  first_day: string;
  last_day: string;
  /** Distinct tools, sorted by code unit. */
  tools: string[];
}

/**
 * Reads a stored submission, signed or not. It was checked when it arrived and is not checked again, so that changed
 * rules or a changed address do not affect accepted submissions.
 *
 * @param payload The envelope's JSON, as the board wrote it.
 */
export function readLoggedSnapshot(payload: Uint8Array): LoggedSnapshot {
  const decoder = new TextDecoder();
  const envelope = JSON.parse(decoder.decode(payload)) as LoggedEnvelope;
  const bytes = fromBase64(envelope.payload) ?? new Uint8Array();
  const statement = JSON.parse(decoder.decode(bytes)) as Statement;
  const correction = 'correction' in statement ? statement.correction : null;
  const covers = 'covers' in statement ? statement.covers : null;
  return { correction, covers, buckets: statement.records.map(bucketOfRecord) };
}

/** The summary of a submission's buckets. There is at least one. */
export function factsOf(buckets: readonly Bucket[]): SubmissionFacts {
  const days = [...new Set(buckets.map(({ day }) => day))].sort();
  const tools = [...new Set(buckets.map(({ tool }) => tool))].sort();
  return { days: days.length, first_day: days[0] ?? '', last_day: days.at(-1) ?? '', tools };
}
