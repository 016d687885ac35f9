/** The published board: who stands where, by which metric, in which window. */
import * as z from 'zod';
import { object } from './object.ts';
import { MetricName, Metrics } from './record.ts';
import { Codename, Day, Label, Timestamp, TokenCount } from './scalars.ts';
import { SHOWN_TOOLS } from './shown.ts';

export const WindowName = z
  .enum(['7d', '30d', '90d', 'all_time'])
  .describe('UTC days that end with `as_of`, today included.')
  .meta({ id: 'WindowName' });
export type WindowName = z.infer<typeof WindowName>;

export const BoardTrust = z
  .enum(['signed', 'mixed', 'self_reported'])
  .describe('Whether the counts were signed by a device, sent by hand, or both.')
  .meta({ id: 'BoardTrust' });
export type BoardTrust = z.infer<typeof BoardTrust>;

export const TrustFilter = z
  .enum(['signed', 'all'])
  .describe('The counts that a board is made of: those signed by a device, or all.')
  .meta({ id: 'TrustFilter' });
export type TrustFilter = z.infer<typeof TrustFilter>;

export const Totals = object('Totals', {
  input: TokenCount,
  output: TokenCount,
  cache_write: TokenCount.nullable().describe('Null if no tool of the window reports it.'),
  cache_read: TokenCount.nullable().describe('Null if no tool of the window reports it.'),
  total: TokenCount.describe('The sum of the four.'),
});
export type Totals = z.infer<typeof Totals>;

export const ClassTier = z
  .enum([
    'rill',
    'brook',
    'stream',
    'river',
    'rapids',
    'falls',
    'cataract',
    'delta',
    'sea',
    'ocean',
    'unclassed',
  ])
  .describe(
    'The decade of the conservative yield in 90 days over all tools, from below 0.1 (`rill`) to 10,000,000 and more (`ocean`); `unclassed` for who is not ranked there.',
  )
  .meta({ id: 'ClassTier' });
export type ClassTier = z.infer<typeof ClassTier>;

export const Interval = z
  .tuple([z.number(), z.number().nullable()])
  .describe(
    'Nominal 95 %, lower and upper end, to 12 significant digits; the lower end ranks, the upper one is null where nothing bounds it.',
  )
  .meta({ id: 'Interval' });

export const RankRange = z
  .tuple([z.int().min(1), z.int().min(1)])
  .describe('The best and the worst place that the intervals allow.')
  .meta({ id: 'RankRange' });

const Places = z.int().nullable();

export const Movement = z
  .strictObject({
    day: Places.describe('Since the last board of the day before; null if not ranked there.'),
    week: Places.describe('Since the last board of seven days before; null if not ranked there.'),
  })
  .describe(
    'Places climbed, negative for those lost; null for who was not ranked then, also where no board was kept.',
  )
  .meta({ id: 'Movement' });
export type Movement = z.infer<typeof Movement>;

/** What a board says of an operator in a window, whatever the metric. */
export const OperatorSummary = z.strictObject({
  codename: Codename,
  display_name: z.string().nullable().describe('Null unless the operator shows it.'),
  class_tier: ClassTier,
  trust: BoardTrust,
  metrics: Metrics.describe(
    'To 12 significant digits, each over the buckets that report its pillars.',
  ),
  totals: Totals.describe('The tokens in the window.'),
  tools: z
    .array(Label)
    .max(SHOWN_TOOLS)
    .describe(
      `The tools used in the window, sorted; of more than ${SHOWN_TOOLS}, those with most tokens.`,
    ),
  last_active: Day.describe('The last day of the window with any token.'),
});
export type OperatorSummary = z.infer<typeof OperatorSummary>;

const measured = {
  interval: Interval.nullable().describe(
    'Of the metric that the board ranks by; null where that is undefined.',
  ),
  coverage: z
    .number()
    .nullable()
    .describe(
      'The share of the output tokens in buckets that report what the metric needs; null without output.',
    ),
  active_days: z.int().min(0).describe('Days of 10,000 tokens or more in those buckets.'),
};

export const BoardEntry = object('BoardEntry', {
  rank: z
    .int()
    .min(1)
    .describe('By the lower end of the interval; equal ones share a rank: 1, 2, 2, 4.'),
  rank_range: RankRange,
  movement: Movement,
  ...OperatorSummary.shape,
  ...measured,
});
export type BoardEntry = z.infer<typeof BoardEntry>;

export const UnrankedReason = object('UnrankedReason', {
  code: z
    .enum([
      'active_days_low',
      'effective_days_low',
      'total_low',
      'output_low',
      'coverage_low',
      'metric_undefined',
      'interval_undefined',
      'hidden',
      'private',
    ])
    .describe(
      'What is missing: days, tokens, coverage, or a value at all. `private` and `hidden`: the operator is not on the board, as only its own answers tell.',
    ),
  required: z
    .number()
    .nullable()
    .describe('The least that the ruleset asks for; null where it asks for no number.'),
  actual: z.number().nullable().describe('What is there; null where that is undefined.'),
  detail: z.string().describe('The same in words.'),
});
export type UnrankedReason = z.infer<typeof UnrankedReason>;

export const UnrankedEntry = object('UnrankedEntry', {
  ...OperatorSummary.shape,
  ...measured,
  reasons: z.array(UnrankedReason).min(1).describe('What is missing to be ranked.'),
});
export type UnrankedEntry = z.infer<typeof UnrankedEntry>;

/** Which board it is and what it was computed from: stands on every board answer. */
export const BoardHead = z.strictObject({
  ruleset: z.string().describe('The rules that decide who is ranked, by their name.'),
  window: WindowName,
  metric: MetricName,
  as_of: Day.describe('The last UTC day of the window.'),
  log_index: z.int().min(0).describe('The log entries that the board is a function of.'),
  generated_at: Timestamp.describe('When the board was computed.'),
  next_refresh_at: Timestamp.describe('When the next one is due, if anything has changed by then.'),
});
export type BoardHead = z.infer<typeof BoardHead>;
