/** What somebody's own days say about working better. */
import * as z from 'zod';
import { object } from './object.ts';
import { ClassTier } from './board.ts';
import { Day, Label, TokenCount } from './scalars.ts';

export const LeakName = z
  .enum(['fresh_input', 'unread_cache_writes', 'low_transmission', 'cold_short_days'])
  .describe(
    'Where tokens are lost: fresh input that a cache should have carried; cache writes that were hardly read; much read for little output; short days that pay for a cache and do not use it.',
  )
  .meta({ id: 'LeakName' });
export type LeakName = z.infer<typeof LeakName>;

export const LeakRatio = z
  .enum(['leverage', 'velocity', 'reuse'])
  .describe('cache_read / input, output / input, or cache_read / cache_write.')
  .meta({ id: 'LeakRatio' });
export type LeakRatio = z.infer<typeof LeakRatio>;

const Ratio = z.number().min(0);

export const ImprovementTarget = z
  .strictObject({
    ratio: LeakRatio,
    value: Ratio.describe('To 12 significant digits.'),
    from: z
      .enum(['own_best_quartile', 'next_class_median'])
      .describe(
        'The nearer of what the best quarter of own days of this kind reached and the median of the next class with it.',
      ),
  })
  .describe('What is compared with, which own days have reached.')
  .meta({ id: 'ImprovementTarget' });
export type ImprovementTarget = z.infer<typeof ImprovementTarget>;

export const LeakDay = z
  .strictObject({
    day: Day,
    model: Label.describe('The one with most of the tokens that leak there.'),
    input: TokenCount,
    output: TokenCount,
    cache_write: TokenCount.nullable().describe('Null if the tool does not report it.'),
    cache_read: TokenCount,
    value: Ratio.describe('The ratio on that day.'),
  })
  .describe('A day that is below the target, with all tokens of the tool on it.')
  .meta({ id: 'LeakDay' });
export type LeakDay = z.infer<typeof LeakDay>;

export const LeakEvidence = object('LeakEvidence', 'What the own days show.', {
  days: z.int().min(1).describe('Days below the target that a change would reach.'),
  days_measured: z
    .int()
    .min(1)
    .describe(
      'Days of this kind: with this tool, 10,000 tokens or more and the ratio defined, and near each other, at most a factor of three apart, in what the change would keep.',
    ),
  days_reached: z.int().min(1).describe('Those of them that reached the target.'),
  value: Ratio.describe('The ratio over the days below the target together.'),
  tokens: TokenCount.describe('Tokens that the simulated change moves or saves.'),
  worst: z.array(LeakDay).min(1).max(5).describe('Those with most such tokens first.'),
});
export type LeakEvidence = z.infer<typeof LeakEvidence>;

export const ReachedDay = object('ReachedDay', 'An own day that reached the target.', {
  day: Day,
  value: Ratio.describe('The ratio on that day.'),
});
export type ReachedDay = z.infer<typeof ReachedDay>;

const Metric = z.number().min(0).nullable();

export const YieldParts = z
  .strictObject({
    yield: Metric.describe('(cache_read x output) / input^2; null where undefined.'),
    leverage: Metric.describe('cache_read / input; null where undefined.'),
    velocity: Metric.describe('output / input; null where undefined.'),
  })
  .describe(
    'Over all buckets that report cache reads, to 12 significant digits; null if undefined.',
  )
  .meta({ id: 'YieldParts' });
export type YieldParts = z.infer<typeof YieldParts>;

export const Improvement = object('Improvement', 'One change of habit and what it would bring.', {
  leak: LeakName,
  tool: Label,
  habit: z.string().describe('What to do more often, as on the days in `reached_on`.'),
  trade_off: z.string().describe('What it costs.'),
  target: ImprovementTarget,
  evidence: LeakEvidence,
  reached_on: z
    .array(ReachedDay)
    .min(1)
    .max(5)
    .describe('Days on which the caller did it already, newest first.'),
  attainability: z
    .number()
    .min(0)
    .max(1)
    .describe(
      '`days_reached` as a share of all days with 10,000 tokens or more, of whatever tool.',
    ),
  simulated: YieldParts.describe(
    'All of the window, had the days below come up to the target; no day better than the best quarter of own days of its kind, and no more than half of what leaks there moved.',
  ),
  gain: z
    .number()
    .min(0)
    .describe(
      'ln of the simulated yield over the present one, over all tools; 0 where that yield would not rise.',
    ),
  in_tool: z
    .strictObject({
      present: YieldParts,
      simulated: YieldParts,
      gain: z.number().min(0).describe('ln of the simulated yield over the present one.'),
    })
    .describe('The same over the tokens of this tool alone, as its own board ranks them.'),
  score: z.number().min(0).describe('in_tool.gain x attainability; the highest comes first.'),
});
export type Improvement = z.infer<typeof Improvement>;

export const NextClass = z
  .strictObject({
    class_tier: ClassTier,
    medians: z
      .array(
        object('ToolMedians', 'What is in the middle of a class by one tool.', {
          tool: Label,
          leverage: z.number().nullable().describe('Null below five operators.'),
          velocity: z.number().nullable().describe('Null below five operators.'),
        }),
      )
      .describe("One for each of the caller's tools that has a board of its own."),
  })
  .describe('The class above, by the board of each tool in 90 days.')
  .meta({ id: 'NextClass' });
export type NextClass = z.infer<typeof NextClass>;

export const NoImprovement = object('NoImprovement', 'Why the list is empty.', {
  code: z
    .enum([
      'no_tokens',
      'yield_undefined',
      'yield_zero',
      'days_low',
      'within_noise',
      'nothing_to_gain',
    ])
    .describe(
      '`days_low`: no tool has enough days of one kind; `within_noise`: what was found is no more than the interval of the yield allows, or days of a single habit would show it too; `nothing_to_gain`: nothing above 0.1 % was found.',
    ),
  required: z.number().nullable().describe('Null where no number is asked for.'),
  actual: z.number().nullable().describe('What is there; null where no number is asked for.'),
  detail: z.string().describe('The same in words.'),
});
export type NoImprovement = z.infer<typeof NoImprovement>;

/** The most tools that a diagnosis lists. */
export const MAX_DIAGNOSED_TOOLS = 50;

const Ends = z.tuple([z.number().min(0), z.number().min(0)]).nullable();

export const ToolReason = object('ToolReason', 'Why nothing was found for a tool.', {
  code: z
    .enum([
      'yield_undefined',
      'yield_zero',
      'days_few',
      'days_differ',
      'within_noise',
      'gain_small',
    ])
    .describe(
      '`days_few`: too few days of 10,000 tokens or more; `days_differ`: no group of similar days is large enough, or the groups that are show nothing and other days were not compared; `within_noise`: what similar days show is no more than chance allows; `gain_small`: all days were compared, and nothing would raise the yield by 0.1% or more.',
    ),
  required: z.number().nullable().describe('Null where no number is asked for.'),
  actual: z.number().nullable().describe('What is there; null where no number is asked for.'),
  detail: z.string().describe('The same in words.'),
});
export type ToolReason = z.infer<typeof ToolReason>;

export const ToolDiagnosis = z
  .strictObject({
    tool: Label,
    present: YieldParts.describe('Over the tokens of this tool that report cache reads.'),
    days: z
      .int()
      .min(0)
      .describe('Days of 10,000 tokens or more that read from the cache and have a yield.'),
    days_compared: z
      .int()
      .min(0)
      .describe(
        'Those of them in a group of at least 8 similar days: at most a factor of three apart in all tokens and in output.',
      ),
    most_similar: z.int().min(0).describe('The size of the largest such group, however small.'),
    yield_range: Ends.describe('The lowest and the highest yield of a day; null without days.'),
    leverage_range: Ends.describe('The same of leverage; null without days.'),
    tokens_range: Ends.describe('The same of all tokens; null without days.'),
    found: z.int().min(0).describe('How many of the entries are about this tool.'),
    reason: ToolReason.nullable().describe('Null if something was found.'),
  })
  .meta({
    id: 'ToolDiagnosis',
    description: 'What was compared of one tool, and what came of it.',
  });
export type ToolDiagnosis = z.infer<typeof ToolDiagnosis>;

export const Diagnosis = z.strictObject({
  from: Day.describe('The first day that is looked at.'),
  to: Day.describe('The last one.'),
  present: YieldParts,
  next_class: NextClass.nullable().describe('Null while unclassed, and in the highest class.'),
  empty_because: NoImprovement.nullable().describe('Null unless the list is empty.'),
  tools: z
    .array(ToolDiagnosis)
    .max(MAX_DIAGNOSED_TOOLS)
    .describe('What was compared, by tool, most tokens first: days of different tools are not.'),
  total: z.int().min(0).describe('All that were found.'),
  entries: z
    .array(Improvement)
    .describe('The highest score first; each is simulated alone, so gains do not add up.'),
});
export type Diagnosis = z.infer<typeof Diagnosis>;
