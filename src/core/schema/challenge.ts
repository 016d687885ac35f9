/** Challenges: competitions over days that are announced in advance. */
import * as z from 'zod';
import { object } from './object.ts';
import { Conservative, Interval, RankRange, UnrankedReason } from './board.ts';
import { MetricName } from './record.ts';
import { Codename, Day, Label, Timestamp, TokenCount } from './scalars.ts';
import { line, lines } from './texts.ts';

/** Maximum lengths in code points. */
const CHALLENGE_LENGTHS = { title: 120, description: 2000 } as const;

export const ChallengeId = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9-]{1,58}[a-z0-9]$/,
    'must be 3 to 60 characters of a-z, 0-9 and -, starting and ending with a letter or digit',
  )
  .meta({ id: 'ChallengeId', description: 'The ID of the challenge, as in URLs.' });

export const ChallengeStatus = z
  .enum(['upcoming', 'active', 'scoring', 'complete', 'cancelled'])
  .describe('`scoring`: the 48 hours after the last day, when its counts can still be submitted.')
  .meta({ id: 'ChallengeStatus' });
export type ChallengeStatus = z.infer<typeof ChallengeStatus>;

const Count = z.int().min(1);

export const ChallengeEligibility = z
  .strictObject({
    active_day_tokens: Count.describe('Minimum tokens of an active day.'),
    active_days: Count.describe('Minimum number of active days.'),
    effective_days: z.number().min(1).describe('Minimum number of effective days.'),
    total_tokens: Count.describe('Minimum number of tokens.'),
    output_tokens: Count.describe('Minimum number of output tokens.'),
    coverage: z
      .number()
      .min(0)
      .max(1)
      .describe(
        'Minimum share of output tokens in daily counts that report the token types of the metric.',
      ),
    stated_days: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .describe(
        'Minimum share of stated days, among those from the first to the last stated day. Absent or 0 if none is required.',
      ),
  })
  .describe('The requirements for a rank, all within the days of the challenge.')
  .meta({ id: 'ChallengeEligibility' });
export type ChallengeEligibility = z.infer<typeof ChallengeEligibility>;

function isThere(text: string): boolean {
  return text !== '';
}

export const ChallengeTerms = z.strictObject({
  id: ChallengeId,
  title: line(CHALLENGE_LENGTHS.title)
    .refine(isThere, 'must not be empty')
    .describe('The title of the challenge.'),
  description: lines(CHALLENGE_LENGTHS.description)
    .refine(isThere, 'must not be empty')
    .describe('What the challenge is about, as written by the admin.'),
  metric: MetricName,
  tool: Label.nullable().describe('The only tool that counts; null for all.'),
  first_day: Day.describe('The first day that counts.'),
  last_day: Day.describe('The last day that counts.'),
  eligibility: ChallengeEligibility,
});
export type ChallengeTerms = z.infer<typeof ChallengeTerms>;

export const Challenge = object('Challenge', 'A competition by one metric over a range of days.', {
  ...ChallengeTerms.shape,
  status: ChallengeStatus,
  closes_at: Timestamp.describe('Submissions after this time do not count.'),
  ruleset: z.string().describe('The ID of the ranking rules when the challenge was created.'),
  created_at: Timestamp.describe('When the challenge was created.'),
  cancelled_at: Timestamp.nullable().describe(
    'When the challenge was canceled; null if it was not.',
  ),
  cancelled_reason: z
    .string()
    .nullable()
    .describe('Why the challenge was canceled; null if it was not.'),
});
export type Challenge = z.infer<typeof Challenge>;

const BLANK = 'Null if the place is blank.';

export const ChallengeEntry = z
  .strictObject({
    place: z
      .int()
      .min(1)
      .describe('The position in the list; unlike the rank, unique even in a tie.'),
    rank: z.int().min(1).describe('By the conservative value. Equal values share a rank.'),
    rank_range: RankRange,
    codename: Codename.nullable().describe(BLANK),
    display_name: z.string().nullable().describe('Null unless the operator shows it.'),
    value: z.number().nullable().describe(`The metric, to 12 significant digits. ${BLANK}`),
    conservative: Conservative.nullable().describe(BLANK),
    interval: Interval.nullable().describe(BLANK),
    total: TokenCount.nullable().describe(`All tokens that count. ${BLANK}`),
    active_days: z.int().min(0).nullable().describe(`Active days. ${BLANK}`),
  })
  .describe(
    'A place in a challenge. It becomes blank if the operator leaves, hides or loses a submission after the end.',
  )
  .meta({ id: 'ChallengeEntry' });
export type ChallengeEntry = z.infer<typeof ChallengeEntry>;

export const ChallengeContender = z
  .strictObject({
    codename: Codename,
    display_name: z.string().nullable().describe('Null unless the operator shows it.'),
    value: z
      .number()
      .nullable()
      .describe('The metric so far, to 12 significant digits; null if undefined.'),
    conservative: Conservative.nullable().describe('Null without an interval.'),
    interval: Interval.nullable().describe('Null if undefined.'),
    total: TokenCount.describe('All tokens that count.'),
    active_days: z.int().min(0).describe('Active days.'),
    reasons: z.array(UnrankedReason).min(1).describe('The requirements that are not met.'),
  })
  .meta({
    id: 'ChallengeContender',
    description: 'An operator with tokens in the challenge but no place yet.',
  });
export type ChallengeContender = z.infer<typeof ChallengeContender>;
