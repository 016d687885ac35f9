import type { WindowName } from '#core/schema/board.ts';
import type { MetricName } from '#core/schema/record.ts';

/** What is shown where nothing else is asked for, and what no address says. */
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

/** What the address of a board's page may choose, in the order in which it stands there. */
export const BOARD_PARAMETERS = ['tool', 'trust', 'class', 'cohort', 'q', 'after'] as const;

/** What is chosen of a board; what is empty is not chosen. */
export type BoardChoice = Partial<
  Record<(typeof BOARD_PARAMETERS)[number], string | null | undefined>
>;

/** The query of a board's address, the same for the same choice; empty without one. */
export function boardQuery(choice: BoardChoice): string {
  const given = BOARD_PARAMETERS.flatMap((name) => {
    const value = (name === 'q' ? choice.q?.trim() : choice[name]) ?? '';
    const isDefault = value === '' || (name === 'trust' && value === DEFAULT_VIEW.trust);
    return isDefault ? [] : [[name, value]];
  });
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
}
