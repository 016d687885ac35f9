import { LeaderboardQuery } from '#core/contract/leaderboard.ts';
import type { Distribution } from '#core/domain/metrics/distribution.ts';
import { nullIfRefused } from '#core/domain/text/errors.ts';
import type { RowDetails } from '#core/domain/metrics/trend.ts';
import { WINDOWS } from '#core/domain/metrics/window.ts';
import type { WindowName } from '#core/schema/board.ts';
import type { AppContext } from '../context.ts';
import { type BoardName, boardAsked, boardOf } from './board-asked.ts';
import { type BoardCursor, END, cursorText } from './board-cursor.ts';
import { sliceOf } from './board-head.ts';
import { readRowDetails } from './board-rows.ts';
import { currentPublication } from '../publication/read/current-publication.ts';
import { frontView } from './front-board.ts';
import { type CurrentLeaderboard, type OpenBoard, openBoard, pageOf } from './leaderboard.ts';

export interface BoardPage {
  sheet: CurrentLeaderboard & { q: string | null };
  /** Whether it is the first page, which also shows who is not ranked. */
  first: boolean;
  /** How many ranked rows come before it. */
  from: number;
  /** The cursor of the page before; null where that is the first, or not known. */
  previous: string | null;
  /** The page's own cursor. */
  cursor: string | null;
  /** Where the window is empty: the widest one in which anybody has tokens. */
  elsewhere: WindowName | null;
  /** By codename; read in turns of the event loop. */
  details: () => Promise<ReadonlyMap<string, RowDetails>>;
  /** Of all who are ranked, whatever is searched for; null where there are too few. */
  distribution: Distribution | null;
}

/** Why there is no such page: nothing is called so, or the board that it was of is gone. */
export type NoPage = 'gone' | 'unknown';

/** The page of a board that an address asks for. */
export function readBoardPage(
  ctx: AppContext,
  board: BoardName,
  parameters: URLSearchParams,
): BoardPage | NoPage {
  const query = boardAsked(ctx, board, parameters);
  if (query === null) return 'unknown';
  return query.cursor === undefined ? firstPage(ctx, query) : (furtherPage(ctx, query) ?? 'gone');
}

/** The page of the board that the front page shows. */
export function readFrontPage(ctx: AppContext): BoardPage {
  const { tool, ...board } = frontView(ctx);
  return firstPage(ctx, LeaderboardQuery.parse(tool === null ? board : { ...board, tool }));
}

/** The first page of a board, and who is not ranked there. */
function firstPage(ctx: AppContext, query: LeaderboardQuery): BoardPage {
  const { metric, limit, q } = query;
  const opened = openBoard(ctx, query);
  const { board, among } = opened;
  const unranked_total = board.unrankedTotal(metric, among);
  const unranked = board.unranked(metric, { from: 0, limit, among }).entries;
  const page = readPage(ctx, query, opened);
  const sheet = { ...page.sheet, unranked, unranked_total };
  const isEmpty = q === undefined && sheet.total + unranked_total === 0;
  return { ...page, sheet, elsewhere: isEmpty ? widestWindow(ctx, query) : null };
}

/** The page of a board that a cursor names; null if the cursor does not serve. */
function furtherPage(ctx: AppContext, query: LeaderboardQuery): BoardPage | null {
  const opened = nullIfRefused(() => openBoard(ctx, query), 'query_invalid', 'cursor_expired');
  const page = opened && readPage(ctx, query, opened);
  return page && page.sheet.entries.length > 0 ? page : null;
}

function readPage(ctx: AppContext, query: LeaderboardQuery, opened: OpenBoard): BoardPage {
  const { publication, board, cursor } = opened;
  const sheet = pageOf(ctx, query, opened);
  const { metric, as_of, entries } = sheet;
  const codenames = entries.map(({ codename }) => codename);
  const slice = sliceOf(query, publication.tools);
  return {
    sheet: { ...sheet, q: query.q ?? null },
    first: query.cursor === undefined,
    from: cursor?.ranked ?? 0,
    previous: previousOf(query, cursor),
    cursor: query.cursor ?? null,
    elsewhere: null,
    details: () => readRowDetails(ctx, { codenames, slice, metric, as_of }),
    distribution: board.distribution(metric),
  };
}

/** Of what is searched for, only the first page and the next one are known. */
function previousOf(query: LeaderboardQuery, cursor: BoardCursor | null): string | null {
  if (cursor === null || query.q !== undefined || cursor.ranked <= query.limit) return null;
  return cursorText(query, { ...cursor, ranked: cursor.ranked - query.limit, unranked: END });
}

/** The widest window in which anybody has tokens on such a board. */
function widestWindow(ctx: AppContext, query: LeaderboardQuery): WindowName | null {
  const publication = currentPublication(ctx);
  const isPeopled = (window: WindowName) => {
    const board = boardOf(ctx, publication, { ...query, window });
    return board.total(query.metric) + board.unrankedTotal(query.metric) > 0;
  };
  return WINDOWS.findLast(isPeopled) ?? null;
}
