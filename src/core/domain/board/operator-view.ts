/**
 * What an address asks of an operator's page, told once for those who write such addresses and those
 * who read them.
 *
 * @module
 */
import { TrustFilter, WindowName } from '#core/schema/board.ts';
import { MetricName } from '#core/schema/record.ts';
import type { OperatorStanding } from '#core/schema/operator.ts';
import { DEFAULT_VIEW } from './board-path.ts';
import type { HistoryInterval } from '../metrics/history.ts';

/** What an operator's page shows. */
export interface OperatorView {
  window: WindowName;
  /** The only tool that counts; null for all. */
  tool: string | null;
  trust: TrustFilter;
  /** The metric of the history. */
  metric: MetricName;
  /** What one point of it stands for. */
  interval: HistoryInterval;
  /** The name of whom the operator is laid beside; null for nobody. */
  beside: string | null;
}

/** Who is laid beside another operator, or why nobody is. */
export type Beside =
  | { asked: string; fault: 'no_page' | 'same' }
  | {
      asked: string;
      fault: null;
      codename: string;
      display_name: string | null;
      /** Null without tokens in the window. */
      standing: OperatorStanding | null;
    };

/** What a history is drawn from. */
export interface DrawnHistory extends Pick<OperatorView, 'interval' | 'metric' | 'window'> {
  /** Every day or week from the first one on; null where it holds no value. */
  points: { date: string; value: number | null; total: number; rank: number | null }[];
  /** When another ruleset came into force. */
  changes: { date: string; label: string }[];
}

const DRAWN: Readonly<Record<WindowName, readonly [HistoryInterval, ...HistoryInterval[]]>> = {
  '7d': ['day'],
  '30d': ['day', 'week'],
  '90d': ['day', 'week'],
  all_time: ['week'],
};

/**
 * What the points of a window's history can stand for, the default first: seven days make no weeks, and
 * all time has too many days.
 */
export function drawnIntervals(
  window: WindowName,
): readonly [HistoryInterval, ...HistoryInterval[]] {
  return DRAWN[window];
}

/** What a query asks for: what it leaves out or names wrongly is the default. */
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
    beside: asked('with')?.trim().toLowerCase() || null,
  };
}

/** What an address says of a view, in the order in which it stands there. */
const VIEW_PARAMETERS = ['window', 'tool', 'trust', 'metric'] as const;

/** The query that asks for a view, the same for the same view; empty for the default. */
export function operatorQuery({ beside, ...view }: OperatorView): string {
  const intervals = drawnIntervals(view.window);
  const interval = intervals.includes(view.interval) ? view.interval : intervals[0];
  const given = VIEW_PARAMETERS.flatMap((name) => {
    const chosen = view[name];
    return chosen === null || chosen === DEFAULT_VIEW[name] ? [] : [[name, chosen]];
  });
  if (interval !== intervals[0]) given.push(['interval', interval]);
  if (beside !== null) given.push(['with', beside]);
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
}
