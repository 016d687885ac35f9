import * as z from 'zod';
import { object } from '../schema/object.ts';
import { BoardEntry, BoardHead, ClassTier } from '../schema/board.ts';
import { MetricName } from '../schema/record.ts';
import { BoardFilters, BoardQuery, ChoiceFilters, ChoiceQuery } from './leaderboard.ts';
import { Format } from './list.ts';
import { defineRoute } from './route.ts';

/** How many leaders a metric shows. */
export const LEADERS = 10;

export const LeadersQuery = z.strictObject({
  ...BoardQuery,
  ...ChoiceQuery,
  metric: MetricName.optional().describe('Only this metric.'),
  format: Format,
});
export type LeadersQuery = z.infer<typeof LeadersQuery>;

const Median = z.number().nullable();
const OPTED_OUT = 'without those who opted out of the use of their data';

const ClassMedian = object('ClassMedian', 'What is in the middle of one class.', {
  class_tier: ClassTier,
  n: z.int().min(1).describe(`Its ranked operators, ${OPTED_OUT}.`),
  median: Median.describe('Of their values, to 12 significant digits; null below five.'),
});

export const LeadersOfMetric = object('LeadersOfMetric', {
  metric: MetricName,
  formula: z.string().describe('In terms of the four pillars.'),
  direction: z.literal('descending').describe('More is better.'),
  unit: z.string().describe('What a value counts.'),
  total: z.int().min(0).describe('Ranked operators.'),
  median: Median.describe(
    `Of the values of all ranked operators, ${OPTED_OUT}, to 12 significant digits; null below five.`,
  ),
  class_medians: z
    .array(ClassMedian)
    .describe('One for each class with anybody to count, lowest first.'),
  entries: z.array(BoardEntry).max(LEADERS).describe('The best, as on the leaderboard.'),
});
export type LeadersOfMetric = z.infer<typeof LeadersOfMetric>;

const { shape: head } = BoardHead.omit({ metric: true });

export const MetricLeaders = object('MetricLeaders', {
  ...head,
  ...BoardFilters,
  ...ChoiceFilters,
  metrics: z.array(LeadersOfMetric).describe('One for each metric.'),
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
