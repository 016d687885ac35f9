import type { HallOfSignal } from '#core/contract/hall-of-signal.ts';
import {
  LEADERS,
  type LeadersOfMetric,
  LeadersQuery,
  type MetricLeaders,
} from '#core/contract/metrics.ts';
import type { Distribution } from '#core/domain/metrics/distribution.ts';
import { METRIC_TEXTS } from '#core/domain/metrics/metric-texts.ts';
import { METRIC_NAMES } from '#core/domain/metrics/metrics.ts';
import type { Spread } from '#core/domain/metrics/spread.ts';
import { MetricName } from '#core/schema/record.ts';
import type { SignalRecord } from '#core/schema/signal-record.ts';
import type { AppContext } from '../context.ts';
import { currentPublication } from '../publication/read/current-publication.ts';
import { choiceFilters, choiceOf, headOf, sliceOf } from './board-head.ts';
import { frontView } from './board-page.ts';

/** The board on metric pages, which is the front page's. */
type MetricsHead = Omit<MetricLeaders, 'metrics'>;

interface MetricsPage {
  head: MetricsHead;
  leaders: readonly LeadersOfMetric[];
  /** The distribution of leverage and velocity; null for fewer than five operators. */
  spread: Spread | null;
}

interface MetricPage {
  head: MetricsHead;
  leaders: LeadersOfMetric;
  /** Null for fewer than five operators. */
  distribution: Distribution | null;
}

/** The metric in a path; null if there is none. */
export function metricNamed(name: string | undefined): MetricName | null {
  return MetricName.safeParse(name).data ?? null;
}

export function readMetricsPage(ctx: AppContext): MetricsPage {
  const { board, head, metrics } = readFront(ctx);
  return { head, leaders: metrics, spread: board.spread() };
}

export function readMetricPage(ctx: AppContext, metric: MetricName): MetricPage {
  const { board, head, metrics } = readFront(ctx, metric);
  const [leaders] = metrics;
  if (!leaders) throw new Error(`No leaders by ${metric}`);
  return { head, leaders, distribution: board.distribution(metric) };
}

function readFront(ctx: AppContext, metric?: MetricName) {
  const { window, tool } = frontView(ctx);
  const query = LeadersQuery.parse({ window, metric, ...(tool !== null && { tool }) });
  const { metrics, ...head } = readMetricLeaders(ctx, query);
  const board = currentPublication(ctx).window(window, { tool, trust: head.trust });
  return { board, head, metrics };
}

/** The top operators of a board by each metric, or by the requested one. */
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
    calibration: ctx.calibration.current,
  };
}

/** The record of each metric, and earlier records. */
export function readHallOfSignal(ctx: AppContext): HallOfSignal {
  const { as_of, log_index, generated_at, next_refresh_at, records } = currentPublication(ctx);
  const metrics = METRIC_NAMES.map((metric) => {
    const [record = null, ...earlier] = records.of(metric).map((one) => shown(ctx, one));
    return { metric, record, earlier };
  });
  return { as_of, log_index, generated_at, next_refresh_at, metrics };
}

/** The record of each metric that an operator holds, or of each metric that has one. */
export function readRecordsNow(ctx: AppContext, codename?: string) {
  const { records } = currentPublication(ctx);
  return METRIC_NAMES.flatMap((metric) => {
    const [record] = records.of(metric);
    const isWanted = record && (codename === undefined || record.codename === codename);
    return isWanted ? [{ metric, record: shown(ctx, record) }] : [];
  });
}

/** Removes submissions of operators who are not public: their pages show the codename. */
function shown({ store }: AppContext, record: SignalRecord): SignalRecord {
  const submission =
    record.submission === null ? undefined : store.submissions.byId(record.submission);
  return submission?.is_open === 1 ? record : { ...record, submission: null };
}
