import type { WindowName } from '../schema/board.ts';
import type { MetricName } from '../schema/record.ts';

/** The path of a board's page. */
export function boardPath({ window, metric }: { window: WindowName; metric: MetricName }): string {
  return `/leaderboard/${window}/${metric}`;
}
