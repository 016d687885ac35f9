/**
 * The query parameters of an operator's page, for code that writes such addresses and code that reads them.
 *
 * @module
 */
import { TrustFilter, WindowName } from '#core/schema/board.ts';
import { MetricName, type Metrics } from '#core/schema/record.ts';
import { DEFAULT_VIEW } from './board-path.ts';
import type { HistoryInterval } from '../metrics/history.ts';
import { METRIC_NAMES } from '../metrics/metrics.ts';

/** What a calendar shows of each day. */
export type CalendarMeasure = MetricName | 'tokens';

export const CALENDAR_MEASURES: readonly CalendarMeasure[] = ['tokens', ...METRIC_NAMES];

/** The view that an operator's page shows. */
export interface OperatorView {
  window: WindowName;
  /** The only tool that counts; null for all. */
  tool: string | null;
  trust: TrustFilter;
  /** The metric of the history. */
  metric: MetricName;
  /** The length of one point of the history. */
  interval: HistoryInterval;
  calendar: CalendarMeasure;
  /** The name of another operator; null for none. Older links to comparisons have it. */
  beside: string | null;
}

/** The data of a history chart. */
export interface DrawnHistory extends Pick<OperatorView, 'interval' | 'metric' | 'window'> {
  /** Every day or week since the first one; the value is null if there is none. */
  points: { date: string; value: number | null; total: number; rank: number | null }[];
  /** When the ruleset changed. */
  changes: { date: string; label: string }[];
}

/** The signed days of all tools in a span. */
export interface DayCalendar {
  first: string;
  last: string;
  /** The days with tokens, oldest first. */
  days: { date: string; total: number; metrics: Metrics }[];
  /** The names of the months and years in review that the page links. */
  reviews: string[];
}

const DRAWN: Readonly<Record<WindowName, readonly [HistoryInterval, ...HistoryInterval[]]>> = {
  '7d': ['day'],
  '30d': ['day', 'week'],
  '90d': ['day', 'week'],
  all_time: ['week'],
};

/**
 * The interval lengths that a window's history supports, default first. Seven days are too few for weeks, and
 * all time has too many days.
 */
export function drawnIntervals(
  window: WindowName,
): readonly [HistoryInterval, ...HistoryInterval[]] {
  return DRAWN[window];
}

/** What the calendar shows by default. */
export const DEFAULT_MEASURE: CalendarMeasure = 'tokens';

/** Reads a query. Missing and invalid parameters get their defaults. */
export function operatorViewOf(query: URLSearchParams): OperatorView {
  const asked = (name: string) => query.get(name) || null;
  const window = WindowName.catch(DEFAULT_VIEW.window).parse(asked('window'));
  const intervals = drawnIntervals(window);
  return {
    window,
    tool: asked('tool'),
    trust: TrustFilter.catch(DEFAULT_VIEW.trust).parse(asked('trust')),
    metric: MetricName.catch(DEFAULT_VIEW.metric).parse(asked('metric')),
    interval: intervals.find((name) => name === asked('interval')) ?? intervals[0],
    calendar: CALENDAR_MEASURES.find((name) => name === asked('calendar')) ?? DEFAULT_MEASURE,
    beside: asked('with')?.trim().toLowerCase() || null,
  };
}

/** The parameters of a view, in the order in which addresses have them. */
const VIEW_PARAMETERS = ['window', 'tool', 'trust', 'metric'] as const;

/** The parameters of a view that differ from the default. */
export function viewParameters(
  view: Pick<OperatorView, (typeof VIEW_PARAMETERS)[number]>,
): [name: string, value: string][] {
  return VIEW_PARAMETERS.flatMap((name): [string, string][] => {
    const chosen = view[name];
    return chosen === null || chosen === DEFAULT_VIEW[name] ? [] : [[name, chosen]];
  });
}

/** The query of a view; empty for the default. Equal views have equal queries. */
export function operatorQuery({ beside, calendar, ...view }: OperatorView): string {
  const intervals = drawnIntervals(view.window);
  const interval = intervals.includes(view.interval) ? view.interval : intervals[0];
  const given = viewParameters(view);
  if (interval !== intervals[0]) given.push(['interval', interval]);
  if (calendar !== DEFAULT_MEASURE) given.push(['calendar', calendar]);
  if (beside !== null) given.push(['with', beside]);
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
}
