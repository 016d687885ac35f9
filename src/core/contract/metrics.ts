import * as z from 'zod';
import { object } from '../schema/object.ts';
import { BoardEntry, BoardHead, ClassTier } from '../schema/board.ts';
import { Calibration } from '../schema/calibration.ts';
import { MetricName } from '../schema/record.ts';
import { BoardFilters, BoardQuery, ChoiceFilters, ChoiceQuery } from './leaderboard.ts';
import { Format } from './list.ts';
import { defineRoute } from './route.ts';

/** The maximum number of leaders per metric. */
export const LEADERS = 10;

export const LeadersQuery = z.strictObject({
  ...BoardQuery,
  ...ChoiceQuery,
  metric: MetricName.optional().describe('Only this metric.'),
  format: Format,
});
export type LeadersQuery = z.infer<typeof LeadersQuery>;

const Median = z.number().nullable();
const OPTED_OUT = 'without operators who opted out of data use';

const ClassMedian = object('ClassMedian', 'The median of one class.', {
  class_tier: ClassTier,
  n: z.int().min(1).describe(`The number of ranked operators in the class, ${OPTED_OUT}.`),
  median: Median.describe(
    'The median of their values, to 12 significant digits; null with fewer than five operators.',
  ),
});

export const LeadersOfMetric = object('LeadersOfMetric', {
  metric: MetricName,
  formula: z.string().describe('The formula of the metric.'),
  direction: z.literal('descending').describe('Higher values rank first.'),
  unit: z.string().describe('The unit of the values.'),
  total: z.int().min(0).describe('The number of ranked operators.'),
  median: Median.describe(
    `The median of the values of all ranked operators, ${OPTED_OUT}, to 12 significant digits; null with fewer than five operators.`,
  ),
  class_medians: z
    .array(ClassMedian)
    .describe('One entry for each class with operators to count, lowest first.'),
  entries: z.array(BoardEntry).max(LEADERS).describe('The top operators, as on the leaderboard.'),
});
export type LeadersOfMetric = z.infer<typeof LeadersOfMetric>;

const { shape: head } = BoardHead.omit({ metric: true });

export const MetricLeaders = object('MetricLeaders', {
  ...head,
  ...BoardFilters,
  ...ChoiceFilters,
  metrics: z.array(LeadersOfMetric).describe('One entry for each metric.'),
  calibration: Calibration.nullable().describe(
    'How often the intervals of this board hold, whatever the parameters; null until the first public log is written.',
  ),
});
export type MetricLeaders = z.infer<typeof MetricLeaders>;

export const getMetricLeaders = defineRoute('getMetricLeaders', {
  auth: 'public',
  query: LeadersQuery,
  reply: MetricLeaders,
  table: {
    row: z.strictObject({ metric: MetricName, ...BoardEntry.shape }),
    rows: ({ metrics }) =>
      metrics.flatMap(({ metric, entries }) => entries.map((entry) => ({ metric, ...entry }))),
  },
});
