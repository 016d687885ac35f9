/** What the board knows of one operator. */
import * as z from 'zod';
import { object } from './object.ts';
import { BoardTrust, ClassTier, Interval, RankRange, Totals, UnrankedReason } from './board.ts';
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
    'The stages of the cascade, over the buckets that report both cache pillars only. Their product is the leverage of those buckets; `metrics.leverage` also counts tools that report no cache writes.',
  )
  .meta({ id: 'Cascade' });
export type Cascade = z.infer<typeof Cascade>;

const Share = z.number().min(0).max(1);

export const Shape = object('Shape', "The pillars' shares of all tokens.", {
  input: Share.describe('Fresh input, from 0 to 1.'),
  output: Share.describe('Output, from 0 to 1.'),
  cache_write: Share.nullable().describe('Null if no tool of the window reports it.'),
  cache_read: Share.nullable().describe('Null if no tool of the window reports it.'),
});
export type Shape = z.infer<typeof Shape>;

export const ToolUsage = z
  .strictObject({
    tool: Label,
    totals: Totals.describe('Its tokens.'),
    metrics: Metrics.describe('Over its own tokens.'),
  })
  .describe('What one tool adds; metrics to 12 significant digits.')
  .meta({ id: 'ToolUsage' });
export type ToolUsage = z.infer<typeof ToolUsage>;

/** The most tools that one operator's classes are listed for. */
export const MAX_CLASS_TOOLS = 50;

export const ToolClass = object('ToolClass', "An operator's class by one tool.", {
  tool: Label,
  has_board: z.boolean().describe('Whether the tool has a board: two operators have to use it.'),
  tokens: TokenCount.describe("The operator's signed tokens of this tool in 90 days."),
  class_tier: ClassTier.describe(
    "The class on this tool's own board: the decade of the conservative yield in 90 days; `unclassed` without a rank there.",
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
  .describe("What one provider's model adds; metrics to 12 significant digits.")
  .meta({ id: 'ModelUsage' });
export type ModelUsage = z.infer<typeof ModelUsage>;

export const OtherUsage = z
  .strictObject({
    pairs: z
      .int()
      .min(1)
      .nullable()
      .describe(
        'How many pairs of provider and model; null where the board does not keep all of them apart.',
      ),
    totals: Totals.describe('Their tokens.'),
    metrics: Metrics.describe('Over these tokens.'),
  })
  .describe('What all other models add together; metrics to 12 significant digits.')
  .meta({ id: 'OtherUsage' });
export type OtherUsage = z.infer<typeof OtherUsage>;

export const MetricStanding = z
  .strictObject({
    value: z.number().nullable().describe('To 12 significant digits; null where undefined.'),
    interval: Interval.nullable().describe(
      'Null where the value is undefined, and on a day that was kept without.',
    ),
    rank: z.int().min(1).nullable().describe('Null while unranked.'),
    rank_range: RankRange.nullable().describe('Null while unranked, and on an earlier board.'),
    total: z.int().min(0).describe('Ranked operators.'),
    percentile: z
      .number()
      .min(0)
      .max(1)
      .nullable()
      .describe(
        'The share of ranked operators strictly below; null below 20 ranked, and unranked.',
      ),
    median: z
      .number()
      .nullable()
      .describe(
        'Of the values of all ranked operators but those who opted out of the use of their data, to 12 significant digits; null below five, and on an earlier board.',
      ),
    coverage: z
      .number()
      .nullable()
      .describe(
        'The share of the output tokens in buckets that report what the metric needs; null without output, and on an earlier board.',
      ),
    active_days: z
      .int()
      .min(0)
      .nullable()
      .describe('Days of 10,000 tokens or more in those buckets; null on an earlier board.'),
    reasons: z
      .array(UnrankedReason)
      .nullable()
      .describe('What is missing to be ranked; empty when ranked; null on an earlier board.'),
  })
  .describe('Where an operator stands by one metric.')
  .meta({ id: 'MetricStanding' });
export type MetricStanding = z.infer<typeof MetricStanding>;

const perMetric = Object.fromEntries(
  MetricName.options.map((name) => [name, MetricStanding]),
) as Record<MetricName, typeof MetricStanding>;

/** Stands at what only the current board knows: of an earlier one, rank and value are kept. */
export const EARLIER = 'Null on an earlier board.';

export const OperatorStanding = z
  .strictObject({
    trust: BoardTrust.nullable().describe(EARLIER),
    metrics: z.strictObject(perMetric).describe('The standing by each metric.'),
    totals: Totals.nullable().describe(EARLIER),
    cascade: Cascade.nullable().describe(EARLIER),
    shape: Shape.nullable().describe(EARLIER),
    tools: z
      .array(ToolUsage)
      .max(MAX_TOOLS)
      .nullable()
      .describe(`By tokens, most first. ${EARLIER}`),
    models: z
      .array(ModelUsage)
      .max(SHOWN_MODELS)
      .nullable()
      .describe(`The ${SHOWN_MODELS} with most tokens, most first. ${EARLIER}`),
    other_models: OtherUsage.nullable().describe(
      `All models that are not in \`models\`; null if there are none. ${EARLIER}`,
    ),
    last_active: Day.nullable().describe(`The last day of the window with any token. ${EARLIER}`),
  })
  .describe('What an operator did in a window, and where that stands.')
  .meta({ id: 'OperatorStanding' });
export type OperatorStanding = z.infer<typeof OperatorStanding>;

export const HistoryPoint = object('HistoryPoint', 'What one day or week adds up to.', {
  date: Day.describe('The UTC day, or the Monday of the week.'),
  input: TokenCount,
  output: TokenCount,
  cache_write: TokenCount.nullable().describe('Null if no tool of that time reports it.'),
  cache_read: TokenCount.nullable().describe('Null if no tool of that time reports it.'),
  total: TokenCount.describe('The sum of the four.'),
  metrics: Metrics.describe('Of that day or week alone, to 12 significant digits.'),
  rank: z
    .int()
    .min(1)
    .nullable()
    .describe(
      'In the window that ends with that day, or with the last day of that week; the running week has that of the newest board; null while unranked and where no board was published.',
    ),
});
export type HistoryPoint = z.infer<typeof HistoryPoint>;

/** Why a key may not sign any more. */
export const RevokedReason = z.enum(['compromised', 'logout', 'revoked', 'rotated']);
export type RevokedReason = z.infer<typeof RevokedReason>;

export const OperatorKey = z
  .strictObject({
    keyid: KeyId,
    public_key: PublicKey,
    enrolled_at: Timestamp.describe('From when on it may sign.'),
    revoked_at: Timestamp.nullable().describe('Null while the key may sign.'),
    revoked_reason: RevokedReason.nullable().describe(
      'Why it may not sign any more; null while it may.',
    ),
  })
  .describe("A key that one of the operator's devices signs with, or did.")
  .meta({ id: 'OperatorKey' });
export type OperatorKey = z.infer<typeof OperatorKey>;

export const CohortId = z
  .string()
  .regex(/^[a-z0-9](?:[a-z0-9-]{0,28}[a-z0-9])?$/, 'must be 1 to 30 characters of a-z, 0-9 and -')
  .meta({ id: 'CohortId', description: 'A group that the keeper declared.' });
