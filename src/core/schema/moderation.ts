/** What plausibility checks found, and what admins decided. */
import * as z from 'zod';
import { object } from './object.ts';
import { Day, Label, Timestamp, UuidV7 } from './scalars.ts';
import { SHOWN_CHECKS, SHOWN_DAYS } from './shown.ts';
import { line } from './texts.ts';

export const CheckId = z
  .enum([
    'day_outlier',
    'equal_vectors',
    'hidden_input',
    'input_share',
    'output_rate',
    'reads_without_writes',
  ])
  .describe('The check.')
  .meta({ id: 'CheckId' });
export type CheckId = z.infer<typeof CheckId>;

/** Why an admin decided so: the log tells it for ever. */
export const AdminReason = line(300).refine((text) => text !== '', 'must not be empty');

export const Verdict = z
  .enum(['note', 'hold'])
  .describe(
    '`note` is only told to the owner; `hold` keeps from counting until the keeper decides.',
  );
export type Verdict = z.infer<typeof Verdict>;

export const Check = object('Check', 'What a check found about a submission.', {
  check: CheckId,
  verdict: Verdict,
  statistic: z.number().describe('What was measured: that of the most striking day.'),
  threshold: z.number().describe('What it is compared with.'),
  n: z.int().min(0).describe('How many days, or days with a tool, it was measured on.'),
  tool: Label.nullable().describe('The tool that it is about; null for all together.'),
  days: z
    .array(Day)
    .min(1)
    .max(SHOWN_DAYS)
    .describe(`The days that it is about, earliest first; the first ${SHOWN_DAYS} of more.`),
  found_at: Timestamp.describe('When it was found.'),
  text: z.string().describe('The same in a sentence.'),
});
export type Check = z.infer<typeof Check>;

export const Notice = object('Notice', 'Something that the owner of an account should know.', {
  kind: z
    .enum(['hidden', 'held', 'rejected', 'noted'])
    .describe(
      'The account is hidden; the submission is held or was rejected, and does not count; or something is only noted.',
    ),
  submission: UuidV7.nullable().describe('Null where it is about the account.'),
  since: Timestamp.describe('When it was decided or found.'),
  reason: z.string().nullable().describe("The keeper's words; null where a check decided."),
  checks: z
    .array(Check)
    .max(SHOWN_CHECKS)
    .describe(`What checks found about the submission; ${SHOWN_CHECKS} at most.`),
  advice: z
    .string()
    .nullable()
    .describe('What the owner can do; null where nothing is to be done.'),
});
export type Notice = z.infer<typeof Notice>;
