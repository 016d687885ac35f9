import { boardPath } from '#core/domain/board-path.ts';
import { METRIC_NAMES } from '#core/domain/metrics.ts';
import { WINDOWS } from '#core/domain/window.ts';
import { getLeaderboard } from '#core/contract/leaderboard.ts';

const BOARDS = WINDOWS.flatMap((window) => METRIC_NAMES.map((metric) => ({ window, metric })));

/** The addresses that are finished with every publication, before anybody asks. */
export const FINISHED_ADDRESSES: readonly string[] = [
  '/',
  ...BOARDS.map(boardPath),
  getLeaderboard.path,
  ...BOARDS.map(({ window, metric }) => {
    return `${getLeaderboard.path}?window=${window}&metric=${metric}`;
  }),
];

/** Whether an address is the same for everybody and may be finished on first request: a board's further pages. */
export function isMemorable(address: string): boolean {
  return address.startsWith('/leaderboard/');
}
