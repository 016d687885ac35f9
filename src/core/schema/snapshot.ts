/** A snapshot on the wire: a DSSE envelope over the exact bytes of many daily Operator Records. */
import * as z from 'zod';
import { object } from './object.ts';
import { list } from './texts.ts';
import { Day, Digest, KeyId, Label, Timestamp, UuidV7 } from './scalars.ts';
import { OperatorRecord } from './record.ts';

export const SNAPSHOT_TYPE = 'opbench-snapshot/1';
export const SNAPSHOT_PAYLOAD_TYPE = 'application/vnd.opbench.snapshot.v1+json';
export const RECEIPT_PAYLOAD_TYPE = 'application/vnd.opbench.receipt.v1+json';
export const ENVELOPE_MEDIA_TYPE = 'application/vnd.dsse.envelope.v1+json';

/** The most records that one snapshot may hold. */
export const MAX_RECORDS = 5000;

/** The longest payload of an envelope, base64: no body is longer. */
const PAYLOAD_CHARACTERS = 4 * 1024 * 1024;

/** A key's signature, as an envelope holds it. */
export const Signature = z.strictObject({
  keyid: KeyId,
  sig: z.string().length(88).describe('64 bytes, base64.'),
});

/** DSSE v1.0 with exactly one signature. */
export const Envelope = object('Envelope', 'A signed statement, DSSE v1.0.', {
  payloadType: z.string().min(1).max(200).describe('The media type of the payload.'),
  payload: z.string().min(1).max(PAYLOAD_CHARACTERS).describe('The exact signed bytes, base64.'),
  signatures: list(Signature, { min: 1, max: 1 }).describe('Exactly one.'),
});
export type Envelope = z.infer<typeof Envelope>;

export const Correction = z
  .strictObject({ tool: Label, from: Day, to: Day })
  .describe("Replaces all of this device's buckets of that tool in those days, absent ones too.")
  .meta({ id: 'Correction' });
export type Correction = z.infer<typeof Correction>;

export const SnapshotPayload = object('SnapshotPayload', {
  type: z.literal(SNAPSHOT_TYPE).describe('Names this schema.'),
  audience: z.string().min(1).max(500).describe('The base URL of the board it is meant for.'),
  submission_id: UuidV7.describe('A UUID of version 7 that this key has not used before.'),
  issued_at: Timestamp.describe('When the snapshot was signed.'),
  collector: z
    .strictObject({
      name: Label.describe('Its name.'),
      version: Label.describe('Its version.'),
    })
    .describe('The program that made the snapshot.'),
  correction: Correction.nullable().describe('Days that this snapshot replaces; usually null.'),
  records: list(OperatorRecord, { min: 1, max: MAX_RECORDS }).describe(
    `1 to ${MAX_RECORDS} records, one for each bucket.`,
  ),
});
/** The member of a submission that holds its records, before anybody has looked at them. */
export const UNREAD_RECORDS = { records: list(z.unknown(), { min: 1, max: MAX_RECORDS }) };

export type SnapshotPayload = z.infer<typeof SnapshotPayload>;

/** What the board signs for an accepted submission. */
export const Receipt = object('Receipt', {
  log_index: z.int().min(1),
  entry_hash: Digest,
  received_at: Timestamp,
  ruleset: z.string(),
});
export type Receipt = z.infer<typeof Receipt>;
