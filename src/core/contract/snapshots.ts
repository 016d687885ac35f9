/** Submission of snapshots and records. */
import * as z from 'zod';
import { object } from '../schema/object.ts';
import { Day, Digest, Label, Timestamp, UuidV7 } from '../schema/scalars.ts';
import { SelfReport } from '../schema/self-report.ts';
import { ENVELOPE_MEDIA_TYPE, Envelope } from '../schema/snapshot.ts';
import { MAX_TOOLS } from '../schema/usage.ts';
import { SNAPSHOT_LIMIT_BYTES } from './limits.ts';
import { defineRoute } from './route.ts';

export const SnapshotReceipt = object('SnapshotReceipt', {
  id: UuidV7.describe('The ID of the submission on this board.'),
  submission_id: UuidV7.describe(
    'The ID that the device gave it; for self-reported records, an ID that the board assigned.',
  ),
  log_index: z.int().min(1).describe('The index of the log entry.'),
  entry_hash: Digest.describe("The hash of the submission's log entry."),
  received_at: Timestamp.describe('When the board received it.'),
  ruleset: z.string().describe('The ID of the ranking rules at that time.'),
  records: z.int().min(1).describe('The number of accepted records.'),
  receipt: Envelope.describe(
    "The board's signature over `log_index`, `entry_hash`, `received_at` and `ruleset`.",
  ),
  proof: z
    .strictObject({ previous: Digest, salt: Digest })
    .describe(
      'Together with the envelope of the submission, enough to recompute entry_hash. Write the envelope as compact JSON with the members payloadType, payload, signatures, and keyid, sig.',
    ),
});
export type SnapshotReceipt = z.infer<typeof SnapshotReceipt>;

export const SubmissionPreview = object('SubmissionPreview', 'The result of a dry run.', {
  dry_run: z.literal(true).describe('Shows that nothing was stored or logged.'),
  already_stored: z
    .boolean()
    .describe(
      'Whether the same content was submitted before. Submitting it again changes nothing.',
    ),
  records: z.int().min(1).describe('The number of records that would be accepted.'),
  counting: z
    .int()
    .min(0)
    .describe('How many of them would count. The others are replaced or already reported.'),
  days: z.int().min(1).describe('The number of UTC days in the records.'),
  first_day: Day.describe('The earliest day.'),
  last_day: Day.describe('The latest day.'),
  tools: z.array(Label).max(MAX_TOOLS).describe('The tools in the records, sorted.'),
});
export type SubmissionPreview = z.infer<typeof SubmissionPreview>;

export const SnapshotAnswer = z
  .union([SnapshotReceipt, SubmissionPreview])
  .describe('The receipt, or a preview with `dry_run`.');

const DryRun = z
  .enum(['true', 'false'])
  .default('false')
  .describe('If `true`, makes all checks and returns a preview, but stores and logs nothing.');

export const IdempotencyKey = z
  .string()
  .regex(/^[\x21-\x7e]{1,255}$/, 'must be 1 to 255 visible ASCII characters')
  .optional()
  .describe(
    'For plain records: repeating a request with the same key and body returns the first response and stores nothing new.',
  );

/** The body is read as exact bytes, because the signature is verified before the content is parsed. */
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
