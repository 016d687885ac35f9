import {
  LEADERS,
  type LeadersOfMetric,
  type LeadersQuery,
  type MetricLeaders,
} from '#core/contract/metrics.ts';
import { METRIC_TEXTS } from '#core/domain/metric-texts.ts';
import { METRIC_NAMES } from '#core/domain/metrics.ts';
import type { MetricName } from '#core/schema/record.ts';
import type { AppContext } from '../context.ts';
import { headOf, sliceOf } from './board-head.ts';
import { currentPublication } from './current-publication.ts';

/** The best of a board by each metric, or by the one that is asked for. */
export function readMetricLeaders(ctx: AppContext, query: LeadersQuery): MetricLeaders {
  const publication = currentPublication(ctx);
  const board = publication.window(query.window, sliceOf(query, publication.tools));
  const leadersOf = (metric: MetricName): LeadersOfMetric => ({
    metric,
    ...METRIC_TEXTS[metric],
    direction: 'descending',
    total: board.total(metric),
    entries: board.ranked(metric, { from: 0, limit: LEADERS }).entries,
  });
  const metrics = query.metric === undefined ? METRIC_NAMES : [query.metric];
  return { ...headOf(publication, query), metrics: metrics.map(leadersOf) };
}
