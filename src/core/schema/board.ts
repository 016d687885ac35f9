/** The published board: ranks by window and metric. */
import * as z from 'zod';
import { object } from './object.ts';
import { CLASS_NAMES, WINDOW_NAMES } from './names.ts';
import { MetricName, Metrics } from './record.ts';
import { Codename, Day, Label, Timestamp, TokenCount } from './scalars.ts';
import { SHOWN_TOOLS } from './shown.ts';

export const WindowName = z
  .enum(WINDOW_NAMES)
  .describe('The UTC days up to `as_of`, today included.')
  .meta({ id: 'WindowName' });
export type WindowName = z.infer<typeof WindowName>;

export const BoardTrust = z
  .enum(['signed', 'mixed', 'self_reported'])
  .describe('Whether the counts were signed by a device, submitted by hand, or both (`mixed`).')
  .meta({ id: 'BoardTrust' });
export type BoardTrust = z.infer<typeof BoardTrust>;

export const TrustFilter = z
  .enum(['signed', 'all'])
  .describe('The counts on the board: those signed by a device, or all.')
  .meta({ id: 'TrustFilter' });
export type TrustFilter = z.infer<typeof TrustFilter>;

export const Totals = object('Totals', {
  input: TokenCount,
  output: TokenCount,
  cache_write: TokenCount.nullable().describe('Null if no tool in the window reports it.'),
  cache_read: TokenCount.nullable().describe('Null if no tool in the window reports it.'),
  total: TokenCount.describe('The sum of the four.'),
});
export type Totals = z.infer<typeof Totals>;

export const ClassTier = z
  .enum(CLASS_NAMES)
  .describe(
    'The decade of the conservative 90-day yield over all tools, from `rill` (below 0.1) to `ocean` (10,000,000 or more); `unclassed` if not ranked there.',
  )
  .meta({ id: 'ClassTier' });
export type ClassTier = z.infer<typeof ClassTier>;

export const Interval = z
  .tuple([z.number(), z.number().nullable()])
  .describe(
    'Lower and upper bound of the nominal 95% interval, to 12 significant digits; the upper one is null if unbounded.',
  )
  .meta({ id: 'Interval' });

export const RankRange = z
  .tuple([z.int().min(1), z.int().min(1)])
  .describe('The best and the worst rank that the intervals allow.')
  .meta({ id: 'RankRange' });

const Places = z.int().nullable();

export const Movement = z
  .strictObject({
    day: Places.describe(
      'Compared with the last board of the day before; null if not ranked there.',
    ),
    week: Places.describe(
      'Compared with the last board seven days before; null if not ranked there.',
    ),
  })
  .describe('Places gained, negative if lost; null without a rank on a stored earlier board.')
  .meta({ id: 'Movement' });
export type Movement = z.infer<typeof Movement>;

/** What a board shows about an operator in a window, whatever the metric. */
export const OperatorSummary = z.strictObject({
  codename: Codename,
  display_name: z.string().nullable().describe('Null unless the operator shows it.'),
  class_tier: ClassTier,
  trust: BoardTrust,
  metrics: Metrics.describe(
    'To 12 significant digits, each over the daily counts that report its token types.',
  ),
  totals: Totals.describe('The tokens in the window.'),
  tools: z
    .array(Label)
    .max(SHOWN_TOOLS)
    .describe(
      `The tools in the window, sorted; at most ${SHOWN_TOOLS}, those with the most tokens.`,
    ),
  last_active: Day.describe('The last day of the window with any token.'),
});
export type OperatorSummary = z.infer<typeof OperatorSummary>;

/** The number by which operators rank. */
export const Conservative = z
  .number()
  .describe(
    'The conservative value, by which operators rank, to 12 significant digits: under ranking rules, version 1, the lower bound of the interval; under version 2, six tenths of the way to it.',
  )
  .meta({ id: 'Conservative' });

const measured = {
  conservative: Conservative.nullable().describe(
    'The conservative value of the metric that the board ranks by; null without an interval.',
  ),
  interval: Interval.nullable().describe(
    'The interval of the metric that the board ranks by; null if that is undefined.',
  ),
  coverage: z
    .number()
    .nullable()
    .describe(
      "The share of output tokens in daily counts that report the metric's token types; null without output.",
    ),
  active_days: z.int().min(0).describe('Days with 10,000 tokens or more in those daily counts.'),
};

export const BoardEntry = object('BoardEntry', {
  rank: z
    .int()
    .min(1)
    .describe('By the conservative value. Equal values share a rank: 1, 2, 2, 4.'),
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
      'stated_days_low',
      'metric_undefined',
      'interval_undefined',
      'hidden',
      'private',
    ])
    .describe(
      'The unmet requirement: days, tokens, coverage, stated days, or a defined value. `private` and `hidden`: not on the board; only the operator gets these.',
    ),
  required: z.number().nullable().describe('The minimum; null if not a number.'),
  actual: z.number().nullable().describe('The actual value; null if undefined.'),
  detail: z.string().describe('The reason as a sentence.'),
});
export type UnrankedReason = z.infer<typeof UnrankedReason>;

export const UnrankedEntry = object('UnrankedEntry', {
  ...OperatorSummary.shape,
  ...measured,
  reasons: z.array(UnrankedReason).min(1).describe('The ranking requirements that are not met.'),
});
export type UnrankedEntry = z.infer<typeof UnrankedEntry>;

/** Identifies a board and what it was computed from. Part of every response about a board. */
export const BoardHead = z.strictObject({
  ruleset: z.string().describe('The ID of the ranking rules.'),
  window: WindowName,
  metric: MetricName,
  as_of: Day.describe('The last UTC day of the window.'),
  log_index: z.int().min(0).describe('The log entries that the board is computed from.'),
  generated_at: Timestamp.describe('When the board was computed.'),
  next_refresh_at: Timestamp.describe('When the next update is due, if anything changes.'),
});
export type BoardHead = z.infer<typeof BoardHead>;

export const KeptValues = z
  .enum(['kept', 'thinned'])
  .describe(
    'Whether values and intervals are stored. `thinned`: the day is older than the board stores them, so they are null. Ranks are as they were published.',
  )
  .meta({ id: 'KeptValues' });
export type KeptValues = z.infer<typeof KeptValues>;
