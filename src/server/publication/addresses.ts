import { BOARD_PARAMETERS, boardPath, boardQuery } from '#core/domain/board/board-path.ts';
import { ATOM_PATH, LLMS_TXT_PATH, SATELLITE_PATH } from '#core/domain/text/file-paths.ts';
import { METRIC_NAMES } from '#core/domain/metrics/metrics.ts';
import { operatorQuery, operatorViewOf } from '#core/domain/board/operator-view.ts';
import { pageOfTwin, twinOf } from '#core/domain/board/markdown-path.ts';
import { WINDOWS } from '#core/domain/metrics/window.ts';
import { PAGE_LIMIT } from '#core/contract/limits.ts';
import { getLeaderboard } from '#core/contract/leaderboard.ts';
import { getMetricLeaders } from '#core/contract/metrics.ts';
import { getOperator } from '#core/contract/operators.ts';
import { getOperatorPeers } from '#core/contract/peers.ts';
import { type FrontBoard, frontBoard } from './read/front-board.ts';
import type { Publication } from './read/publication.ts';

const BOARDS = WINDOWS.flatMap((window) => METRIC_NAMES.map((metric) => ({ window, metric })));

/** The addresses that are finished with every publication, whatever it holds. */
const FINISHED_ADDRESSES: readonly string[] = [
  '/',
  LLMS_TXT_PATH,
  '/methodology',
  '/metrics',
  ...METRIC_NAMES.map((metric) => `/metrics/${metric}`),
  '/privacy',
  '/science',
  ...BOARDS.map(boardPath),
  getLeaderboard.path,
  ...BOARDS.map(({ window, metric }) => {
    return `${getLeaderboard.path}?window=${window}&metric=${metric}`;
  }),
];

/**
 * The addresses that are finished with a publication, before anybody asks: of the boards of one tool
 * those of the tool that the front page opens on.
 */
export function finishedAddresses(publication: Pick<Publication, 'tools' | 'window'>): string[] {
  return [...FINISHED_ADDRESSES, ...boardsOfTool(frontBoard(publication))];
}

function boardsOfTool({ tool }: FrontBoard): string[] {
  if (tool === null) return [];
  return BOARDS.map((board) => boardPath(board) + boardQuery({ tool }));
}

/** Texts that are finished as pages are. */
const TEXTS: readonly string[] = [ATOM_PATH, LLMS_TXT_PATH];

/** Pages, and the reads of the API that are a function of a publication. */
const MEMORABLE = [
  /^\/(?:methodology|privacy|science)?$/,
  /^\/challenges(?:\/|$)/,
  /^\/developers(?:\/protocol(?:\.json)?|\/vectors\.json)?$/,
  /^\/hall-of-signal$/,
  /^\/metrics(?:\/|$)/,
  /^\/open-graph\.png$/,
  /^\/problems(?:\/|$)/,
  /^\/sitemap(?:-[1-9]\d*)?\.xml$/,
  new RegExp(`^${getLeaderboard.path}(\\?|$)`),
  new RegExp(`^${getMetricLeaders.path}(\\?|$)`),
  ...[getOperator, getOperatorPeers].map(({ path }) => {
    return new RegExp(`^${path.replace('{codename}', '[^/?]+')}(\\?|$)`);
  }),
];

const BOARD = /^\/leaderboard\//;
const OPERATOR = /^\/operators\//;
const CHALLENGE = /^\/challenges\//;

/** Pages and files that take no parameter. */
const PAGES =
  /^\/(?:$|challenges$|developers(?:\/|$)|hall-of-signal$|methodology$|metrics(?:\/|$)|opbench[-.][^/]*$|open-graph\.png$|privacy$|problems(?:\/|$)|robots\.txt$|science$|sitemap(?:-[^/]*)?\.xml$|_astro\/)/;

/**
 * The one address under which an answer is finished: what a page does not know in its query does not
 * make another page of it.
 */
export function finishedAddress(target: string): string {
  const end = target.indexOf('?');
  if (end < 0) return target;
  const page = pageOfTwin(target);
  if (page !== null) return twinOf(finishedAddress(page)) ?? target;
  const path = target.slice(0, end);
  if (BOARD.test(path)) return path + boardQuery(choiceIn(target.slice(end + 1)));
  if (OPERATOR.test(path)) {
    return path + operatorQuery(operatorViewOf(new URLSearchParams(target.slice(end + 1))));
  }
  if (CHALLENGE.test(path)) return path + afterIn(target.slice(end + 1));
  const isPlain = PAGES.test(path) || TEXTS.includes(path) || path.startsWith(SATELLITE_PATH);
  return isPlain ? path : target;
}

/** Which page of a list is asked for. */
function afterIn(query: string): string {
  const after = new URLSearchParams(query).get('after');
  return after === null ? '' : `?${new URLSearchParams({ after })}`;
}

function choiceIn(query: string) {
  const parameters = new URLSearchParams(query);
  return Object.fromEntries(BOARD_PARAMETERS.map((name) => [name, parameters.get(name)]));
}

/**
 * Where the pages of a board and of a challenge's standings begin, as they link to one another. Others
 * are answered too, but there are more of them than can be remembered: a page could begin anywhere.
 */
const BOARD_CURSOR = /^[1-9]\d*\.([1-9]\d*)\.999999999\.[0-9a-f]+$/;
const CHALLENGE_CURSOR = /^(?:0|[1-9]\d*)\.([1-9]\d*)$/;

function isOfLinkedPage(address: string, cursor: RegExp): boolean {
  const after = new URLSearchParams(address.split('?')[1]).get('after');
  if (after === null) return true;
  const begins = Number(cursor.exec(after)?.[1]);
  return begins % PAGE_LIMIT.default === 0;
}

/**
 * Whether an address is the same for everybody until the next publication, and may be finished on first
 * request. Not a search for a name, nor one operator beside another: there are more of them than can be
 * remembered, and they would push out what many read. A page as Markdown is kept as the page is.
 */
export function isMemorable(address: string): boolean {
  const page = pageOfTwin(address);
  if (page !== null) return isMemorable(page);
  if (BOARD.test(address)) {
    return !/[?&]q=/.test(address) && isOfLinkedPage(address, BOARD_CURSOR);
  }
  if (OPERATOR.test(address)) return !/[?&]with=/.test(address);
  if (CHALLENGE.test(address)) return isOfLinkedPage(address, CHALLENGE_CURSOR);
  return TEXTS.includes(address) || MEMORABLE.some((pattern) => pattern.test(address));
}
