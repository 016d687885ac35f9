/** Challenges: what operators compete in, in days that are set beforehand. */
import * as z from 'zod';
import { object } from './object.ts';
import { Interval, RankRange, UnrankedReason } from './board.ts';
import { MetricName } from './record.ts';
import { Codename, Day, Label, Timestamp, TokenCount } from './scalars.ts';
import { line, lines } from './texts.ts';

/** The longest texts, in code points. */
const CHALLENGE_LENGTHS = { title: 120, description: 2000 } as const;

export const ChallengeId = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9-]{1,58}[a-z0-9]$/,
    'must be 3 to 60 characters of a-z, 0-9 and -, starting and ending with a letter or digit',
  )
  .meta({ id: 'ChallengeId', description: "The challenge's name in addresses." });

export const ChallengeStatus = z
  .enum(['upcoming', 'active', 'scoring', 'complete', 'cancelled'])
  .describe(
    '`scoring` are the 48 hours after the last day, in which what was done before can still be sent.',
  )
  .meta({ id: 'ChallengeStatus' });
export type ChallengeStatus = z.infer<typeof ChallengeStatus>;

const Count = z.int().min(1);

export const ChallengeEligibility = z
  .strictObject({
    active_day_tokens: Count.describe('Tokens that make a day active.'),
    active_days: Count.describe('The least active days.'),
    effective_days: z.number().min(1).describe('The least effective days.'),
    total_tokens: Count.describe('The least tokens in all.'),
    output_tokens: Count.describe('The least output tokens.'),
    coverage: z
      .number()
      .min(0)
      .max(1)
      .describe('The least share of the output in buckets that report what the metric needs.'),
  })
  .describe('What is asked for to be ranked, all of it within the days of the challenge.')
  .meta({ id: 'ChallengeEligibility' });
export type ChallengeEligibility = z.infer<typeof ChallengeEligibility>;

function isThere(text: string): boolean {
  return text !== '';
}

export const ChallengeTerms = z.strictObject({
  id: ChallengeId,
  title: line(CHALLENGE_LENGTHS.title)
    .refine(isThere, 'must not be empty')
    .describe('What it is called.'),
  description: lines(CHALLENGE_LENGTHS.description)
    .refine(isThere, 'must not be empty')
    .describe('What it is about, as its keeper wrote it.'),
  metric: MetricName,
  tool: Label.nullable().describe('The only tool that counts; null for all.'),
  first_day: Day.describe('The first day that counts.'),
  last_day: Day.describe('The last day that counts.'),
  eligibility: ChallengeEligibility,
});
export type ChallengeTerms = z.infer<typeof ChallengeTerms>;

export const Challenge = object('Challenge', 'A competition by one metric in some days.', {
  ...ChallengeTerms.shape,
  status: ChallengeStatus,
  closes_at: Timestamp.describe('What comes in from then on does not count.'),
  ruleset: z.string().describe('The rules that were in force when it was made, by their name.'),
  created_at: Timestamp.describe('When it was made.'),
  cancelled_at: Timestamp.nullable().describe('Null unless it was cancelled.'),
  cancelled_reason: z.string().nullable().describe('Why it was cancelled; null if it was not.'),
});
export type Challenge = z.infer<typeof Challenge>;

const BLANK = 'Null where the place has lost its owner.';

export const ChallengeEntry = z
  .strictObject({
    place: z.int().min(1).describe('The position in the order, other than the rank also in a tie.'),
    rank: z.int().min(1).describe('By the lower end of the interval; equal ones share a rank.'),
    rank_range: RankRange,
    codename: Codename.nullable().describe(BLANK),
    display_name: z.string().nullable().describe('Null unless the operator shows it.'),
    value: z.number().nullable().describe(`The metric, to 12 significant digits. ${BLANK}`),
    interval: Interval.nullable().describe(BLANK),
    total: TokenCount.nullable().describe(`All tokens that count. ${BLANK}`),
    active_days: z.int().min(0).nullable().describe(`Active days. ${BLANK}`),
  })
  .describe(
    'A place in a challenge. Who left, hid or has lost a submission after the end leaves it blank.',
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
      .describe('The metric so far, to 12 significant digits; null where it is undefined.'),
    interval: Interval.nullable().describe('Null where it is undefined.'),
    total: TokenCount.describe('All tokens that count.'),
    active_days: z.int().min(0).describe('Active days.'),
    reasons: z.array(UnrankedReason).min(1).describe('What is missing to be ranked.'),
  })
  .meta({ id: 'ChallengeContender', description: 'An operator without a place so far.' });
export type ChallengeContender = z.infer<typeof ChallengeContender>;
