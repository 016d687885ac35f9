/** Submissions: accepted snapshots and self-reports, and the states of their records. */
import * as z from 'zod';
import { Codename, Day, Digest, KeyId, Label, Timestamp, UuidV7 } from './scalars.ts';
import { MAX_TOOLS } from './usage.ts';

const Count = z.int().min(0);

export const Trust = z
  .enum(['signed', 'self_reported'])
  .describe('Whether a device signed it or an operator submitted it by hand.');
export type Trust = z.infer<typeof Trust>;

/** The state of a whole submission. Only accepted ones count. */
export type SubmissionState = 'accepted' | 'held' | 'rejected' | 'withdrawn';

export const RecordStates = z
  .strictObject({
    counting: Count.describe('Records that count on the board, in whole or in part.'),
    superseded: Count.describe(
      'Records that do not count because other counts of the same day, tool and model do: a later count at least as large, a larger earlier count, a correction, or an equal count or the same responses from another device.',
    ),
    held: Count.describe('Records that are on hold until the admin decides.'),
    rejected: Count.describe('Records that the admin rejected.'),
    withdrawn: Count.describe('Records that the operator withdrew.'),
    erased: Count.describe('Records that were erased with the account.'),
  })
  .describe('The number of records of the submission in each state.')
  .meta({ id: 'RecordStates' });
export type RecordStates = z.infer<typeof RecordStates>;

export const Submission = z
  .strictObject({
    log_index: z.int().min(1).describe('The index of the log entry.'),
    id: UuidV7.describe('The ID of the submission on this board.'),
    codename: Codename,
    trust: Trust,
    received_at: Timestamp.describe('When the board received it.'),
    records: z.int().min(1).describe('The number of records.'),
    days: z.int().min(1).describe('The number of UTC days in the records.'),
    first_day: Day.describe('The earliest day.'),
    last_day: Day.describe('The latest day.'),
    tools: z.array(Label).max(MAX_TOOLS).describe('The tools in the records, sorted.'),
    states: RecordStates,
    entry_hash: Digest.describe("The hash of the submission's log entry."),
  })
  .describe('An accepted submission and the states of its records.')
  .meta({ id: 'Submission' });
export type Submission = z.infer<typeof Submission>;

/** Counts that several devices of an operator reported. They count once. */
export const Shared = z.strictObject({
  records: Count.describe(
    'The number of records that several devices reported, in whole or in part.',
  ),
  tokens: Count.describe('The tokens in them that count only once.'),
  in_part: Count.describe(
    'The number of these records that are only partly the same. The total of such a day is an estimate.',
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
  .describe('A withdrawn submission that can be restored.')
  .meta({ id: 'WithdrawnSubmission' });
export type WithdrawnSubmission = z.infer<typeof WithdrawnSubmission>;

export const SubmissionDetail = z
  .strictObject({
    ...Submission.shape,
    keyid: KeyId.nullable().describe('The key that signed it; null for self-reported records.'),
    submission_id: UuidV7.describe(
      'The ID that the device gave it; for self-reported records, an ID that the board assigned.',
    ),
    collector: z
      .strictObject({ name: Label, version: Label })
      .nullable()
      .describe('The program that created it; null for self-reported records.'),
    covers: z
      .strictObject({ from: Day, to: Day })
      .nullable()
      .describe(
        'The days that it states: on these, its device counted nothing else of the tools in `covers` of the payload. Null if it states none.',
      ),
    shared: Shared.describe(
      'Records that another device of the operator reported too, and the tokens in them that count once; zeros if there are none.',
    ),
  })
  .describe('A submission with its key and the program that created it.')
  .meta({ id: 'SubmissionDetail' });
export type SubmissionDetail = z.infer<typeof SubmissionDetail>;
