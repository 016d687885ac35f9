/** What the board shows about one operator. */
import * as z from 'zod';
import { object } from './object.ts';
import {
  BoardTrust,
  ClassTier,
  Conservative,
  Interval,
  RankRange,
  Totals,
  UnrankedReason,
} from './board.ts';
import { MetricName, Metrics } from './record.ts';
import { Day, KeyId, Label, PublicKey, Timestamp, TokenCount } from './scalars.ts';
import { SHOWN_MODELS } from './shown.ts';
import { MAX_TOOLS } from './usage.ts';

const Ratio = z.number().min(0).nullable();

export const Cascade = z
  .strictObject({
    transmission: Ratio.describe('output / input; null without input.'),
    commitment: Ratio.describe('cache_write / output; null without output.'),
    reuse: Ratio.describe('cache_read / cache_write; null without cache_write.'),
  })
  .describe(
    'Where the tokens went, over the daily counts that report both cache writes and cache reads. The product is their leverage; `metrics.leverage` also includes tools without cache writes.',
  )
  .meta({ id: 'Cascade' });
export type Cascade = z.infer<typeof Cascade>;

const Share = z.number().min(0).max(1);

export const Shape = object('Shape', 'The share of each token type in all tokens.', {
  input: Share.describe('Fresh input, from 0 to 1.'),
  output: Share.describe('Output, from 0 to 1.'),
  cache_write: Share.nullable().describe('Null if no tool in the window reports it.'),
  cache_read: Share.nullable().describe('Null if no tool in the window reports it.'),
});
export type Shape = z.infer<typeof Shape>;

const DayCount = z.int().min(0);

export const StatedDays = object(
  'StatedDays',
  "Which days the operator's devices stated, and when, over all tools and only signed counts. From the first to the last day that was stated, with or without tokens: later days may still be stated. A statement can be false.",
  {
    first_day: Day.describe('The first day that is counted here.'),
    last_day: Day.describe('The last day that is counted here.'),
    with_tokens: DayCount.describe('Days with tokens.'),
    without_tokens: DayCount.describe(
      'Days without tokens that at least one device stated to be without tokens.',
    ),
    not_stated: DayCount.describe('Days about which no device stated anything.'),
    in_time: Share.nullable().describe(
      'The share of tokens that were first stated on the day itself or the day after, from 0 to 1. Null if this is not known for any day, because the board recorded it later.',
    ),
    lowered: DayCount.describe('Days that a correction or a withdrawal lowered.'),
  },
);
export type StatedDays = z.infer<typeof StatedDays>;

export const ToolUsage = z
  .strictObject({
    tool: Label,
    totals: Totals.describe('Its tokens.'),
    metrics: Metrics.describe('Over its own tokens.'),
  })
  .describe('The usage of one tool; metrics to 12 significant digits.')
  .meta({ id: 'ToolUsage' });
export type ToolUsage = z.infer<typeof ToolUsage>;

/** The maximum number of tools in a list of an operator's classes. */
export const MAX_CLASS_TOOLS = 50;

export const ToolClass = object('ToolClass', "An operator's class on the board of one tool.", {
  tool: Label,
  has_board: z
    .boolean()
    .describe('Whether the tool has a board, which requires two operators who use it.'),
  tokens: TokenCount.describe("The operator's signed tokens of this tool in 90 days."),
  class_tier: ClassTier.describe(
    'The class on the board of this tool: the decade of the conservative yield in 90 days; `unclassed` without a rank there.',
  ),
});
export type ToolClass = z.infer<typeof ToolClass>;

export const ModelUsage = z
  .strictObject({
    provider: Label,
    model: Label,
    totals: Totals.describe('Its tokens.'),
    metrics: Metrics.describe('Over its own tokens.'),
  })
  .describe('The usage of one model of one provider; metrics to 12 significant digits.')
  .meta({ id: 'ModelUsage' });
export type ModelUsage = z.infer<typeof ModelUsage>;

export const OtherUsage = z
  .strictObject({
    pairs: z
      .int()
      .min(1)
      .nullable()
      .describe(
        'The number of pairs of provider and model; null if the board does not store all of them separately.',
      ),
    totals: Totals.describe('Their tokens.'),
    metrics: Metrics.describe('Over these tokens.'),
  })
  .describe('The usage of all other models together; metrics to 12 significant digits.')
  .meta({ id: 'OtherUsage' });
export type OtherUsage = z.infer<typeof OtherUsage>;

export const MetricStanding = z
  .strictObject({
    value: z.number().nullable().describe('To 12 significant digits; null if undefined.'),
    conservative: Conservative.nullable().describe('Null without an interval.'),
    interval: Interval.nullable().describe(
      'Null if the value is undefined, and on earlier boards stored without intervals.',
    ),
    rank: z.int().min(1).nullable().describe('Null while unranked.'),
    rank_range: RankRange.nullable().describe('Null while unranked and on an earlier board.'),
    total: z.int().min(0).describe('Ranked operators.'),
    percentile: z
      .number()
      .min(0)
      .max(1)
      .nullable()
      .describe(
        'The share of ranked operators with a strictly lower value. Null with fewer than 20 ranked operators and while unranked.',
      ),
    median: z
      .number()
      .nullable()
      .describe(
        'The median value of all ranked operators except those who opted out of data use, to 12 significant digits. Null with fewer than five operators and on an earlier board.',
      ),
    coverage: z
      .number()
      .nullable()
      .describe(
        "The share of output tokens in daily counts that report the metric's token types; null without output and on an earlier board.",
      ),
    active_days: z
      .int()
      .min(0)
      .nullable()
      .describe('Days with 10,000 tokens or more in those daily counts; null on an earlier board.'),
    reasons: z
      .array(UnrankedReason)
      .nullable()
      .describe(
        'The ranking requirements that are not met; empty when ranked; null on an earlier board.',
      ),
  })
  .describe("An operator's value and rank by one metric.")
  .meta({ id: 'MetricStanding' });
export type MetricStanding = z.infer<typeof MetricStanding>;

const perMetric = Object.fromEntries(
  MetricName.options.map((name) => [name, MetricStanding]),
) as Record<MetricName, typeof MetricStanding>;

/** Added to the descriptions of members that only the current board has. Earlier boards store ranks and values. */
export const EARLIER = 'Null on an earlier board.';

export const OperatorStanding = z
  .strictObject({
    trust: BoardTrust.nullable().describe(EARLIER),
    metrics: z.strictObject(perMetric).describe('Value and rank by each metric.'),
    totals: Totals.nullable().describe(EARLIER),
    cascade: Cascade.nullable().describe(EARLIER),
    shape: Shape.nullable().describe(EARLIER),
    tools: z.array(ToolUsage).max(MAX_TOOLS).nullable().describe(`Most tokens first. ${EARLIER}`),
    models: z
      .array(ModelUsage)
      .max(SHOWN_MODELS)
      .nullable()
      .describe(`The ${SHOWN_MODELS} models with the most tokens, most first. ${EARLIER}`),
    other_models: OtherUsage.nullable().describe(
      `All models that are not in \`models\`; null if there are none. ${EARLIER}`,
    ),
    last_active: Day.nullable().describe(`The last day of the window with any token. ${EARLIER}`),
  })
  .describe("An operator's usage and ranks in a window.")
  .meta({ id: 'OperatorStanding' });
export type OperatorStanding = z.infer<typeof OperatorStanding>;

export const HistoryPoint = object('HistoryPoint', 'The totals of one day or week.', {
  date: Day.describe('The UTC day, or the Monday of the week.'),
  input: TokenCount,
  output: TokenCount,
  cache_write: TokenCount.nullable().describe('Null if no tool used at that time reports it.'),
  cache_read: TokenCount.nullable().describe('Null if no tool used at that time reports it.'),
  total: TokenCount.describe('The sum of the four.'),
  metrics: Metrics.describe('Of that day or week alone, to 12 significant digits.'),
  rank: z
    .int()
    .min(1)
    .nullable()
    .describe(
      'The rank in the window that ends with that day, or with the last day of that week. For the current week, the rank on the newest board. Null while unranked and if no board was published.',
    ),
});
export type HistoryPoint = z.infer<typeof HistoryPoint>;

/** Why a key can no longer sign. */
export const RevokedReason = z.enum(['compromised', 'logout', 'revoked', 'rotated']);
export type RevokedReason = z.infer<typeof RevokedReason>;

export const OperatorKey = z
  .strictObject({
    keyid: KeyId,
    public_key: PublicKey,
    enrolled_at: Timestamp.describe('When the key was enrolled. It can sign from then on.'),
    revoked_at: Timestamp.nullable().describe('Null while the key can sign.'),
    revoked_reason: RevokedReason.nullable().describe(
      'Why the key can no longer sign; null while it can.',
    ),
  })
  .describe("A current or former signing key of one of the operator's devices.")
  .meta({ id: 'OperatorKey' });
export type OperatorKey = z.infer<typeof OperatorKey>;

export const CohortId = z
  .string()
  .regex(/^[a-z0-9](?:[a-z0-9-]{0,28}[a-z0-9])?$/, 'must be 1 to 30 characters of a-z, 0-9 and -')
  .meta({ id: 'CohortId', description: 'The ID of a group that the admin defined.' });
