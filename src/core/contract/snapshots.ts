/** Snapshots: how telemetry comes in. */
import * as z from 'zod';
import { object } from '../schema/object.ts';
import { Day, Digest, Label, Timestamp, UuidV7 } from '../schema/scalars.ts';
import { SelfReport } from '../schema/self-report.ts';
import { ENVELOPE_MEDIA_TYPE, Envelope } from '../schema/snapshot.ts';
import { MAX_TOOLS } from '../schema/usage.ts';
import { SNAPSHOT_LIMIT_BYTES } from './limits.ts';
import { defineRoute } from './route.ts';

export const SnapshotReceipt = object('SnapshotReceipt', {
  id: UuidV7.describe("The submission's name on this board."),
  submission_id: UuidV7.describe(
    "The name that its sender gave it; the board's own for what was sent by hand.",
  ),
  log_index: z.int().min(1).describe('Its place in the log.'),
  entry_hash: Digest.describe("The hash of the submission's log entry."),
  received_at: Timestamp.describe('When the board took it in.'),
  ruleset: z.string().describe('The rules that were in force, by their name.'),
  records: z.int().min(1).describe('Records accepted.'),
  receipt: Envelope.describe(
    "The board's signature over log_index, entry_hash, received_at, ruleset.",
  ),
  proof: z
    .strictObject({ previous: Digest, salt: Digest })
    .describe(
      "With the submission's envelope as compact JSON (payloadType, payload, signatures; keyid, sig), enough to recompute entry_hash.",
    ),
});
export type SnapshotReceipt = z.infer<typeof SnapshotReceipt>;

export const SubmissionPreview = object('SubmissionPreview', 'What a submission would come to.', {
  dry_run: z.literal(true).describe('Nothing was stored or logged.'),
  already_stored: z
    .boolean()
    .describe('Whether the same content was submitted before; sending it changes nothing.'),
  records: z.int().min(1).describe('Records that would be accepted.'),
  counting: z
    .int()
    .min(0)
    .describe('How many of them would count; the others are replaced or stated already.'),
  days: z.int().min(1).describe('Different UTC days in the records.'),
  first_day: Day.describe('The earliest of them.'),
  last_day: Day.describe('The latest of them.'),
  tools: z.array(Label).max(MAX_TOOLS).describe('Different tools in the records, sorted.'),
});
export type SubmissionPreview = z.infer<typeof SubmissionPreview>;

export const SnapshotAnswer = z
  .union([SnapshotReceipt, SubmissionPreview])
  .describe('The receipt; with `dry_run` what it would be for.');

const DryRun = z
  .enum(['true', 'false'])
  .default('false')
  .describe('Makes all checks and answers what would be stored, but stores and logs nothing.');

export const IdempotencyKey = z
  .string()
  .regex(/^[\x21-\x7e]{1,255}$/, 'must be 1 to 255 visible ASCII characters')
  .optional()
  .describe(
    'With records sent by hand: the same key and body are answered as the first time, and stored once.',
  );

/** The body is read as exact bytes: what is signed is checked before it is understood. */
export const submitSnapshot = defineRoute('submitSnapshot', {
  auth: 'body_or_account',
  query: z.strictObject({ dry_run: DryRun }),
  headers: z.strictObject({ 'Idempotency-Key': IdempotencyKey }),
  body: z.string().max(SNAPSHOT_LIMIT_BYTES),
  contents: { [ENVELOPE_MEDIA_TYPE]: Envelope, 'application/json': SelfReport },
  bodyLimitBytes: SNAPSHOT_LIMIT_BYTES,
  accepts: [ENVELOPE_MEDIA_TYPE, 'application/json'],
  reply: SnapshotAnswer,
});
