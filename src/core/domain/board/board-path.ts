import type { WindowName } from '#core/schema/board.ts';
import type { MetricName } from '#core/schema/record.ts';

/** The default view. Addresses leave these values out. */
export const DEFAULT_VIEW = {
  window: '30d',
  metric: 'yield',
  tool: null,
  trust: 'signed',
} as const;

/** The path of a board's page. */
export function boardPath({ window, metric }: { window: WindowName; metric: MetricName }): string {
  return `/leaderboard/${window}/${metric}`;
}

/** The query parameters of a board's page, in the order in which addresses have them. */
export const BOARD_PARAMETERS = ['tool', 'trust', 'class', 'cohort', 'q', 'after'] as const;

/** The filters of a board. Empty values mean no filter. */
export type BoardChoice = Partial<
  Record<(typeof BOARD_PARAMETERS)[number], string | null | undefined>
>;

/** The query of a board's address; empty without filters. Equal filters give equal queries. */
export function boardQuery(choice: BoardChoice): string {
  const given = BOARD_PARAMETERS.flatMap((name) => {
    const value = (name === 'q' ? choice.q?.trim() : choice[name]) ?? '';
    const isDefault = value === '' || (name === 'trust' && value === DEFAULT_VIEW.trust);
    return isDefault ? [] : [[name, value]];
  });
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
}
