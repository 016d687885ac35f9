import { LeadersQuery, type LeadersOfMetric, type MetricLeaders } from '#core/contract/metrics.ts';
import type { Distribution } from '#core/domain/metrics/distribution.ts';
import type { Spread } from '#core/domain/metrics/spread.ts';
import { MetricName } from '#core/schema/record.ts';
import type { AppContext } from '../context.ts';
import { currentPublication } from '../publication/read/current-publication.ts';
import { frontView } from './front-board.ts';
import { readMetricLeaders } from './metric-leaders.ts';

/** The board that the pages of metrics tell of: the one that the site opens with. */
type MetricsHead = Omit<MetricLeaders, 'metrics'>;

/** All metrics side by side. */
export interface MetricsPage {
  head: MetricsHead;
  leaders: readonly LeadersOfMetric[];
  /** How the two facts lie; null below five. */
  spread: Spread | null;
}

/** One metric on that board. */
export interface MetricPage {
  head: MetricsHead;
  leaders: LeadersOfMetric;
  /** Null below five. */
  distribution: Distribution | null;
}

/** The metric that a path names, if there is one. */
export function metricNamed(name: string | undefined): MetricName | null {
  return MetricName.safeParse(name).data ?? null;
}

/** What the page of all metrics shows. */
export function readMetricsPage(ctx: AppContext): MetricsPage {
  const { board, head, metrics } = readFront(ctx);
  return { head, leaders: metrics, spread: board.spread() };
}

/** What the page of one metric shows. */
export function readMetricPage(ctx: AppContext, metric: MetricName): MetricPage {
  const { board, head, metrics } = readFront(ctx, metric);
  const [leaders] = metrics;
  if (!leaders) throw new Error(`There are no leaders by ${metric}`);
  return { head, leaders, distribution: board.distribution(metric) };
}

function readFront(ctx: AppContext, metric?: MetricName) {
  const { window, tool } = frontView(ctx);
  const query = LeadersQuery.parse({ window, metric, ...(tool !== null && { tool }) });
  const { metrics, ...head } = readMetricLeaders(ctx, query);
  const board = currentPublication(ctx).window(window, { tool, trust: head.trust });
  return { board, head, metrics };
}
