/** Findings of plausibility checks and decisions of admins. */
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
    'reads_per_write',
    'reads_without_writes',
    'repeated_days',
    'round_counts',
    'round_series',
  ])
  .describe('The check.')
  .meta({ id: 'CheckId' });
export type CheckId = z.infer<typeof CheckId>;

/** The reason for an admin's decision. It stays in the log permanently. */
export const AdminReason = line(300).refine((text) => text !== '', 'must not be empty');

export const Verdict = z
  .enum(['note', 'hold'])
  .describe(
    '`note` only informs the owner. `hold` puts the submission on hold until the admin decides.',
  );
export type Verdict = z.infer<typeof Verdict>;

export const Check = object('Check', 'The finding of a plausibility check about a submission.', {
  check: CheckId,
  verdict: Verdict,
  statistic: z.number().describe('The measured value of the most unusual day.'),
  threshold: z.number().describe('The value that triggers the check.'),
  n: z.int().min(0).describe('The number of days, or days with a tool, that were measured.'),
  tool: Label.nullable().describe('The tool concerned; null for all tools together.'),
  days: z
    .array(Day)
    .min(1)
    .max(SHOWN_DAYS)
    .describe(`The days concerned, earliest first; at most ${SHOWN_DAYS}.`),
  found_at: Timestamp.describe('When the check found it.'),
  text: z.string().describe('The finding as a sentence.'),
});
export type Check = z.infer<typeof Check>;

export const Notice = object('Notice', 'A notice to the owner of an account.', {
  kind: z
    .enum(['hidden', 'held', 'rejected', 'answered', 'noted'])
    .describe(
      '`hidden`: the account is hidden. `held`: the submission is on hold and does not count. `rejected`: the submission was rejected and does not count. `answered`: an admin answered a message of the owner. `noted`: for information only.',
    ),
  submission: UuidV7.nullable().describe('Null if the notice is about the account.'),
  since: Timestamp.describe(
    'When the decision was made, the message was answered, or the check found it.',
  ),
  reason: z.string().nullable().describe("The admin's reason; null if a check decided."),
  checks: z
    .array(Check)
    .max(SHOWN_CHECKS)
    .describe(`Findings about the submission; at most ${SHOWN_CHECKS}.`),
  advice: z.string().nullable().describe('What the owner can do; null if nothing.'),
});
export type Notice = z.infer<typeof Notice>;
