/**
 * Snapshots as the log holds them, signed or not. They were judged when they came in, so nothing is judged again:
 * a rule or an address that has changed since does not change what was accepted.
 *
 * @module
 */
import type { LoggedEnvelope, SelfReportPayload } from '#core/schema/self-report.ts';
import type { Correction, SnapshotPayload } from '#core/schema/snapshot.ts';
import type { Bucket } from '#core/schema/usage.ts';
import { fromBase64 } from '../text/base64.ts';
import { bucketOfRecord } from '../metrics/record.ts';

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
 * Reads the payload of a `snapshot` entry.
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
