import {
  LEADERS,
  type LeadersOfMetric,
  type LeadersQuery,
  type MetricLeaders,
} from '#core/contract/metrics.ts';
import { METRIC_TEXTS } from '#core/domain/metrics/metric-texts.ts';
import { METRIC_NAMES } from '#core/domain/metrics/metrics.ts';
import type { MetricName } from '#core/schema/record.ts';
import type { AppContext } from '../context.ts';
import { choiceFilters, choiceOf } from './board-choice.ts';
import { headOf, sliceOf } from './board-head.ts';
import { currentPublication } from '../publication/read/current-publication.ts';

/** The best of a board by each metric, or by the one that is asked for. */
export function readMetricLeaders(ctx: AppContext, query: LeadersQuery): MetricLeaders {
  const publication = currentPublication(ctx);
  const choice = choiceOf(ctx, query);
  const board = publication.window(query.window, sliceOf(query, publication.tools), choice);
  const leadersOf = (metric: MetricName): LeadersOfMetric => {
    const { median, classes } = board.medians(metric);
    return {
      metric,
      ...METRIC_TEXTS[metric],
      direction: 'descending',
      total: board.total(metric),
      median,
      class_medians: classes,
      entries: board.ranked(metric, { from: 0, limit: LEADERS }).entries,
    };
  };
  const metrics = query.metric === undefined ? METRIC_NAMES : [query.metric];
  return {
    ...headOf(publication, query),
    ...choiceFilters(ctx, choice),
    metrics: metrics.map(leadersOf),
  };
}
