import { boardPath } from '#core/domain/board-path.ts';
import { METRIC_NAMES } from '#core/domain/metrics.ts';
import { WINDOWS } from '#core/domain/window.ts';
import { getLeaderboard } from '#core/contract/leaderboard.ts';
import { getMetricLeaders } from '#core/contract/metrics.ts';
import { getOperator } from '#core/contract/operators.ts';
import { getOperatorPeers } from '#core/contract/peers.ts';

const BOARDS = WINDOWS.flatMap((window) => METRIC_NAMES.map((metric) => ({ window, metric })));

/** The addresses that are finished with every publication, before anybody asks. */
export const FINISHED_ADDRESSES: readonly string[] = [
  '/',
  '/methodology',
  '/science',
  ...BOARDS.map(boardPath),
  getLeaderboard.path,
  ...BOARDS.map(({ window, metric }) => {
    return `${getLeaderboard.path}?window=${window}&metric=${metric}`;
  }),
];

/** A board's further pages, what tells of the API, and the reads of the API that are a function of a publication. */
const MEMORABLE = [
  /^\/leaderboard\//,
  /^\/developers$/,
  new RegExp(`^${getLeaderboard.path}(\\?|$)`),
  new RegExp(`^${getMetricLeaders.path}(\\?|$)`),
  ...[getOperator, getOperatorPeers].map(({ path }) => {
    return new RegExp(`^${path.replace('{codename}', '[^/?]+')}(\\?|$)`);
  }),
];

/** Pages that take no parameter, but for a board's `after`. */
const PAGES = /^\/(?:$|developers$|methodology$|science$|leaderboard\/|_astro\/)/;

/**
 * The one address under which an answer is finished: what a page does not know in its query does not
 * make another page of it.
 */
export function finishedAddress(target: string): string {
  const [path = '', query] = target.split('?', 2);
  if (query === undefined || !PAGES.test(path)) return target;
  const after = path.startsWith('/leaderboard/') ? new URLSearchParams(query).get('after') : null;
  return after === null ? path : `${path}?${new URLSearchParams({ after })}`;
}

/** Whether an address is the same for everybody until the next publication, and may be finished on first request. */
export function isMemorable(address: string): boolean {
  return MEMORABLE.some((pattern) => pattern.test(address));
}
