/** Snapshots: a DSSE envelope over the exact bytes of many daily Operator Records. */
import * as z from 'zod';
import { object } from './object.ts';
import { list } from './texts.ts';
import { Day, Digest, KeyId, Label, Timestamp, UuidV7 } from './scalars.ts';
import { OperatorRecord } from './record.ts';
import { MAX_TOOLS } from './usage.ts';

export const SNAPSHOT_TYPE = 'opbench-snapshot/1';
export const SNAPSHOT_PAYLOAD_TYPE = 'application/vnd.opbench.snapshot.v1+json';
/** Version 2, which can state days without tokens. */
export const SNAPSHOT_TYPE_2 = 'opbench-snapshot/2';
export const SNAPSHOT_PAYLOAD_TYPE_2 = 'application/vnd.opbench.snapshot.v2+json';
/** All versions that boards accept. */
export const SNAPSHOT_PAYLOAD_TYPES = [SNAPSHOT_PAYLOAD_TYPE, SNAPSHOT_PAYLOAD_TYPE_2] as const;
export const RECEIPT_PAYLOAD_TYPE = 'application/vnd.opbench.receipt.v1+json';
export const ENVELOPE_MEDIA_TYPE = 'application/vnd.dsse.envelope.v1+json';

/** The maximum number of records in a snapshot. */
export const MAX_RECORDS = 5000;

/** The maximum length of a payload in base64, equal to the body limit. */
const PAYLOAD_CHARACTERS = 4 * 1024 * 1024;

/** A signature in an envelope. */
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
  .describe(
    "Replaces all of this device's daily counts of this tool on these days. Counts that the snapshot does not contain are removed.",
  )
  .meta({ id: 'Correction' });
export type Correction = z.infer<typeof Correction>;

export const SnapshotPayload = object('SnapshotPayload', {
  type: z.literal(SNAPSHOT_TYPE).describe('Identifies this schema.'),
  audience: z
    .string()
    .min(1)
    .max(500)
    .describe('The base URL of the board that the snapshot is for.'),
  submission_id: UuidV7.describe('A UUID of version 7 that this key has not used before.'),
  issued_at: Timestamp.describe('When the snapshot was signed.'),
  collector: z
    .strictObject({
      name: Label.describe('The name of the program.'),
      version: Label.describe('The version of the program.'),
    })
    .describe('The program that created the snapshot.'),
  correction: Correction.nullable().describe('The days that this snapshot replaces; usually null.'),
  records: list(OperatorRecord, { min: 1, max: MAX_RECORDS }).describe(
    `1 to ${MAX_RECORDS} records, one for each daily count.`,
  ),
});
export type SnapshotPayload = z.infer<typeof SnapshotPayload>;

export const Covers = z
  .strictObject({
    tools: list(Label, { min: 1, max: MAX_TOOLS }).describe('The tools.'),
    from: Day.describe('The first day.'),
    to: Day.describe('The last day, which must be over when the snapshot is signed.'),
  })
  .describe(
    'The days for which `records` contain everything that this device counted for these tools. A day without a record had no tokens.',
  )
  .meta({ id: 'Covers' });
export type Covers = z.infer<typeof Covers>;

const { records, ...head } = SnapshotPayload.shape;

export const SnapshotPayload2 = object('SnapshotPayload2', {
  ...head,
  type: z.literal(SNAPSHOT_TYPE_2).describe('Identifies this schema.'),
  covers: Covers.nullable().describe('The days that this snapshot states; null if there are none.'),
  records,
});
export type SnapshotPayload2 = z.infer<typeof SnapshotPayload2>;

/** The `records` member before its entries are validated. */
export const UNREAD_RECORDS = { records: list(z.unknown(), { min: 1, max: MAX_RECORDS }) };

/** The statement that the board signs for an accepted submission. */
export const Receipt = object('Receipt', {
  log_index: z.int().min(1),
  entry_hash: Digest,
  received_at: Timestamp,
  ruleset: z.string(),
});
export type Receipt = z.infer<typeof Receipt>;
