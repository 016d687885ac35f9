/** Submissions: accepted snapshots, and what became of their records. */
import * as z from 'zod';
import { Codename, Day, Digest, KeyId, Label, Timestamp, UuidV7 } from './scalars.ts';
import { MAX_TOOLS } from './usage.ts';

const Count = z.int().min(0);

export const Trust = z
  .enum(['signed', 'self_reported'])
  .describe('Whether a device signed it, or it was sent by hand.');
export type Trust = z.infer<typeof Trust>;

/** What became of a submission as a whole; only what is accepted counts. */
export type SubmissionState = 'accepted' | 'held' | 'rejected' | 'withdrawn';

export const RecordStates = z
  .strictObject({
    counting: Count.describe('Count on the board, in whole or in part.'),
    superseded: Count.describe(
      'Do not count, because other counts of the same day, tool and model do: later ones at least as large, larger earlier ones, a correction, or equal ones or the same responses of another device.',
    ),
    held: Count.describe('Wait for a decision of the keeper.'),
    rejected: Count.describe('Were refused by the keeper.'),
    withdrawn: Count.describe('Were taken back by the operator.'),
    erased: Count.describe('Are gone with the account.'),
  })
  .describe('How many records of the submission are in each state.')
  .meta({ id: 'RecordStates' });
export type RecordStates = z.infer<typeof RecordStates>;

export const Submission = z
  .strictObject({
    log_index: z.int().min(1).describe('Its place in the log.'),
    id: UuidV7.describe("The submission's name on this board."),
    codename: Codename,
    trust: Trust,
    received_at: Timestamp.describe('When the board took it in.'),
    records: z.int().min(1).describe('Records that it was accepted with.'),
    days: z.int().min(1).describe('Different UTC days in the records.'),
    first_day: Day.describe('The earliest of them.'),
    last_day: Day.describe('The latest of them.'),
    tools: z.array(Label).max(MAX_TOOLS).describe('Different tools in the records, sorted.'),
    states: RecordStates,
    entry_hash: Digest.describe("The hash of the submission's log entry."),
  })
  .describe('An accepted snapshot, and what became of its records.')
  .meta({ id: 'Submission' });
export type Submission = z.infer<typeof Submission>;

/** What several devices of an operator stated, and that counts once. */
export const Shared = z.strictObject({
  records: Count.describe('Records that several devices stated, in whole or in part.'),
  tokens: Count.describe('Their tokens that count once.'),
  in_part: Count.describe(
    'Of these records, those of which only a part is the same. The sum of such a day is an estimate.',
  ),
});
export type Shared = z.infer<typeof Shared>;

export const WithdrawnSubmission = Submission.pick({
  id: true,
  received_at: true,
  records: true,
  first_day: true,
  last_day: true,
})
  .describe('A withdrawn submission, which can be restored.')
  .meta({ id: 'WithdrawnSubmission' });
export type WithdrawnSubmission = z.infer<typeof WithdrawnSubmission>;

export const SubmissionDetail = z
  .strictObject({
    ...Submission.shape,
    keyid: KeyId.nullable().describe('The key that signed it; null for what no device signed.'),
    submission_id: UuidV7.describe(
      "The name that its sender gave it; the board's own for what was sent by hand.",
    ),
    collector: z
      .strictObject({ name: Label, version: Label })
      .nullable()
      .describe('The program that made it, as it named itself; null for what was sent by hand.'),
    shared: Shared.describe(
      'Records that another device of the operator stated as well, and their tokens that count once; zeros if there are none.',
    ),
  })
  .describe('A submission, with who signed it and what made it.')
  .meta({ id: 'SubmissionDetail' });
export type SubmissionDetail = z.infer<typeof SubmissionDetail>;
