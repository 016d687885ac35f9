/** What an operator's own days show about how to raise the yield. */
import * as z from 'zod';
import { object } from './object.ts';
import { ClassTier } from './board.ts';
import { Day, Label, TokenCount } from './scalars.ts';

export const LeakName = z
  .enum(['fresh_input', 'unread_cache_writes', 'low_transmission', 'cold_short_days'])
  .describe(
    'What lowers the yield: fresh input that could have come from the cache; cache writes that were rarely read; much context read for little output; short days that write a cache and hardly use it.',
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
        "The nearer of two levels: what the best quarter of the caller's similar days reached, or the median of the next class with this tool.",
      ),
  })
  .describe("The level to compare with. Some of the caller's days reached it.")
  .meta({ id: 'ImprovementTarget' });
export type ImprovementTarget = z.infer<typeof ImprovementTarget>;

export const LeakDay = z
  .strictObject({
    day: Day,
    model: Label.describe('The model with most of the tokens that lower the yield.'),
    input: TokenCount,
    output: TokenCount,
    cache_write: TokenCount.nullable().describe('Null if the tool does not report it.'),
    cache_read: TokenCount,
    value: Ratio.describe('The ratio on that day.'),
  })
  .describe('A day below the target, with all tokens of the tool on that day.')
  .meta({ id: 'LeakDay' });
export type LeakDay = z.infer<typeof LeakDay>;

export const LeakEvidence = object('LeakEvidence', "The evidence from the caller's own days.", {
  days: z.int().min(1).describe('Days below the target that the change would improve.'),
  days_measured: z
    .int()
    .min(1)
    .describe(
      'Similar days: with this tool, 10,000 tokens or more and a defined ratio, at most a factor of three apart in what the change does not affect.',
    ),
  days_reached: z.int().min(1).describe('How many of these days reached the target.'),
  value: Ratio.describe('The ratio over all days below the target together.'),
  tokens: TokenCount.describe('Tokens that the simulated change moves or saves.'),
  worst: z.array(LeakDay).min(1).max(5).describe('The days with the most such tokens, most first.'),
});
export type LeakEvidence = z.infer<typeof LeakEvidence>;

export const ReachedDay = object('ReachedDay', 'A day of the caller that reached the target.', {
  day: Day,
  value: Ratio.describe('The ratio on that day.'),
});
export type ReachedDay = z.infer<typeof ReachedDay>;

const Metric = z.number().min(0).nullable();

export const YieldParts = z
  .strictObject({
    yield: Metric.describe('(cache_read x output) / input^2; null if undefined.'),
    leverage: Metric.describe('cache_read / input; null if undefined.'),
    velocity: Metric.describe('output / input; null if undefined.'),
  })
  .describe('Over all daily counts that report cache reads, to 12 significant digits.')
  .meta({ id: 'YieldParts' });
export type YieldParts = z.infer<typeof YieldParts>;

export const Improvement = object('Improvement', 'A change of habit and its simulated effect.', {
  leak: LeakName,
  tool: Label,
  habit: z
    .string()
    .describe('What to do more often. The caller did it on the days in `reached_on`.'),
  trade_off: z.string().describe('The disadvantage of the change.'),
  target: ImprovementTarget,
  evidence: LeakEvidence,
  reached_on: z
    .array(ReachedDay)
    .min(1)
    .max(5)
    .describe('Days on which the caller reached the target, newest first.'),
  attainability: z
    .number()
    .min(0)
    .max(1)
    .describe('`days_reached` as a share of all days of 10,000 tokens or more.'),
  simulated: YieldParts.describe(
    'The whole window, had the days below the target reached it. No day becomes better than the best quarter of the similar days; at most half of the affected tokens change.',
  ),
  gain: z
    .number()
    .min(0)
    .describe('ln(simulated yield / present yield) over all tools; 0 if it would not rise.'),
  in_tool: z
    .strictObject({
      present: YieldParts,
      simulated: YieldParts,
      gain: z.number().min(0).describe('ln(simulated yield / present yield).'),
    })
    .describe('The same for the tokens of this tool alone, which the board of the tool ranks by.'),
  score: z.number().min(0).describe('in_tool.gain x attainability; the highest comes first.'),
});
export type Improvement = z.infer<typeof Improvement>;

export const NextClass = z
  .strictObject({
    class_tier: ClassTier,
    medians: z
      .array(
        object('ToolMedians', 'The medians of a class on the board of one tool.', {
          tool: Label,
          leverage: z.number().nullable().describe('Null with fewer than five operators.'),
          velocity: z.number().nullable().describe('Null with fewer than five operators.'),
        }),
      )
      .describe("One for each of the caller's tools that has its own board."),
  })
  .describe('The class above the caller, on the 90-day board of each tool.')
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
      '`days_low`: no tool has enough similar days. `within_noise`: the differences are within the interval of the yield or normal variation. `nothing_to_gain`: no change would raise the yield by more than 0.1%.',
    ),
  required: z.number().nullable().describe('The minimum; null if not a number.'),
  actual: z.number().nullable().describe('The actual value; null if not a number.'),
  detail: z.string().describe('The reason as a sentence.'),
});
export type NoImprovement = z.infer<typeof NoImprovement>;

/** The most tools that a diagnosis lists. */
export const MAX_DIAGNOSED_TOOLS = 50;

const Ends = z.tuple([z.number().min(0), z.number().min(0)]).nullable();

export const ToolReason = object('ToolReason', 'Why there is no entry for a tool.', {
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
      '`days_few`: too few days of 10,000 tokens or more. `days_differ`: no group of similar days is large enough, or large groups show nothing and other days were not compared. `within_noise`: differences between similar days are within chance. `gain_small`: no change would raise the yield by 0.1% or more.',
    ),
  required: z.number().nullable().describe('The minimum; null if not a number.'),
  actual: z.number().nullable().describe('The actual value; null if not a number.'),
  detail: z.string().describe('The reason as a sentence.'),
});
export type ToolReason = z.infer<typeof ToolReason>;

export const ToolDiagnosis = z
  .strictObject({
    tool: Label,
    present: YieldParts.describe('Over the daily counts of this tool that report cache reads.'),
    days: z
      .int()
      .min(0)
      .describe('Days of 10,000 tokens or more, with cache reads and a defined yield.'),
    days_compared: z
      .int()
      .min(0)
      .describe(
        'How many of them are in a group of at least 8 similar days, at most a factor of three apart in total tokens and in output.',
      ),
    most_similar: z
      .int()
      .min(0)
      .describe('The size of the largest group of similar days, even if smaller than 8.'),
    yield_range: Ends.describe('The lowest and the highest yield of a day; null without days.'),
    leverage_range: Ends.describe(
      'The lowest and the highest leverage of a day; null without days.',
    ),
    tokens_range: Ends.describe(
      'The lowest and the highest token total of a day; null without days.',
    ),
    found: z.int().min(0).describe('The number of entries about this tool.'),
    reason: ToolReason.nullable().describe('Null if something was found.'),
  })
  .meta({
    id: 'ToolDiagnosis',
    description: 'Which days of one tool were compared, and the result.',
  });
export type ToolDiagnosis = z.infer<typeof ToolDiagnosis>;

export const Diagnosis = z.strictObject({
  from: Day.describe('The first day of the period.'),
  to: Day.describe('The last day of the period.'),
  present: YieldParts,
  next_class: NextClass.nullable().describe('Null while unclassed and in the highest class.'),
  empty_because: NoImprovement.nullable().describe('Why the list is empty; null if it is not.'),
  tools: z
    .array(ToolDiagnosis)
    .max(MAX_DIAGNOSED_TOOLS)
    .describe(
      'The comparison for each tool, most tokens first. Days of different tools are not compared.',
    ),
  total: z.int().min(0).describe('The number of changes found.'),
  entries: z
    .array(Improvement)
    .describe(
      'The highest score first. Each change is simulated on its own, so gains do not add up.',
    ),
});
export type Diagnosis = z.infer<typeof Diagnosis>;
