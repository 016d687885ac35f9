import * as z from 'zod';
import { BoardEntry, BoardHead } from '../schema/board.ts';
import { MetricName } from '../schema/record.ts';
import { BoardFilters, BoardQuery } from './leaderboard.ts';
import { Format } from './list.ts';
import { NoParams, PublicRead, defineRoute } from './route.ts';

/** How many leaders a metric shows. */
export const LEADERS = 10;

export const LeadersQuery = z.strictObject({
  ...BoardQuery,
  metric: MetricName.optional().describe('Only this metric.'),
  format: Format,
});
export type LeadersQuery = z.infer<typeof LeadersQuery>;

export const LeadersOfMetric = z
  .strictObject({
    metric: MetricName,
    formula: z.string().describe('In terms of the four pillars.'),
    direction: z.literal('descending').describe('More is better.'),
    unit: z.string().describe('What a value counts.'),
    total: z.int().min(0).describe('Ranked operators.'),
    entries: z.array(BoardEntry).max(LEADERS).describe('The best, as on the leaderboard.'),
  })
  .meta({ id: 'LeadersOfMetric' });
export type LeadersOfMetric = z.infer<typeof LeadersOfMetric>;

const { shape: head } = BoardHead.omit({ metric: true });

export const MetricLeaders = z
  .strictObject({
    ...head,
    ...BoardFilters,
    metrics: z.array(LeadersOfMetric).describe('One for each metric.'),
  })
  .meta({ id: 'MetricLeaders' });
export type MetricLeaders = z.infer<typeof MetricLeaders>;

export const getMetricLeaders = defineRoute({
  ...PublicRead,
  id: 'getMetricLeaders',
  tag: 'board',
  path: '/api/v1/metrics/leaders',
  summary: 'The best ten operators by each metric',
  params: NoParams,
  query: LeadersQuery,
  reply: MetricLeaders,
  table: {
    row: z.strictObject({ metric: MetricName, ...BoardEntry.shape }),
    rows: ({ metrics }) =>
      metrics.flatMap(({ metric, entries }) => entries.map((entry) => ({ metric, ...entry }))),
  },
  errors: [],
});
