import { LeaderboardQuery } from '#core/contract/leaderboard.ts';
import { DEFAULT_VIEW } from '#core/domain/board/board-path.ts';
import type { BoardSlice } from '#core/domain/board/board.ts';
import { dayName, dayNumber } from '#core/domain/counting/day.ts';
import type { DayCounts } from '#core/domain/metrics/day-series.ts';
import type { Distribution } from '#core/domain/metrics/distribution.ts';
import { type RowDetails, TREND_DAYS, trendOf } from '#core/domain/metrics/trend.ts';
import { WINDOWS } from '#core/domain/metrics/window.ts';
import { nullIfRefused } from '#core/domain/text/errors.ts';
import type { WindowName } from '#core/schema/board.ts';
import type { MetricName } from '#core/schema/record.ts';
import type { AppContext } from '../context.ts';
import { eachPart } from '../counting/bucket-turns.ts';
import { isProfileShown } from '../operator/profile.ts';
import { yieldToEventLoop, runYielding } from '../process/yield-to-event-loop.ts';
import { currentPublication } from '../publication/read/current-publication.ts';
import { type FrontBoard, frontBoard } from '../publication/read/front-board.ts';
import { boardAsked, type BoardName, boardOf, sliceOf } from './board-head.ts';
import {
  type BoardCursor,
  type CurrentLeaderboard,
  cursorText,
  END,
  type OpenBoard,
  openBoard,
  pageOf,
} from './leaderboard.ts';

export interface BoardPage {
  sheet: CurrentLeaderboard & { q: string | null };
  /** Whether it is the first page, which also shows who is not ranked. */
  first: boolean;
  from: number;
  /** The cursor of the page before; null where that is the first, or not known. */
  previous: string | null;
  cursor: string | null;
  /** Where the window is empty: the widest one in which anybody has tokens. */
  elsewhere: WindowName | null;
  /** By codename; read in turns of the event loop. */
  details: () => Promise<ReadonlyMap<string, RowDetails>>;
  /** Of all who are ranked, whatever is searched for; null where there are too few. */
  distribution: Distribution | null;
}

/** Why there is no such page: nothing is called so, or the board that it was of is gone. */
type NoPage = 'gone' | 'unknown';

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

function widestWindow(ctx: AppContext, query: LeaderboardQuery): WindowName | null {
  const publication = currentPublication(ctx);
  const isPeopled = (window: WindowName) => {
    const board = boardOf(ctx, publication, { ...query, window });
    return board.total(query.metric) + board.unrankedTotal(query.metric) > 0;
  };
  return WINDOWS.findLast(isPeopled) ?? null;
}

interface Rows {
  codenames: readonly string[];
  slice: BoardSlice;
  metric: MetricName;
  as_of: string;
}

/**
 * The details of rows by codename, read in turns of the event loop, because the days of a large account
 * take up to 200 ms. They are read for what the public calls an operator now: whose name has changed since the board was published is nobody's any more.
 */
async function readRowDetails({ store }: Pick<AppContext, 'store'>, rows: Rows) {
  const { codenames, slice, metric, as_of } = rows;
  const last = dayNumber(as_of);
  const span = { from: dayName(last - TREND_DAYS + 1), to: as_of };
  const trends = new Map<string, RowDetails['trend']>();
  for (const { id, codename } of store.shownRows.open(codenames)) {
    await yieldToEventLoop();
    const usage: DayCounts[] = [];
    const parts = eachPart(store, { id }, span, (part) => {
      usage.push(...store.records.usage({ ...part, ...slice }).map(withDayNumber));
    });
    await runYielding(parts);
    if (usage.length > 0) trends.set(codename, trendOf(usage, metric, last));
  }
  const shown = store.shownRows.pictures(codenames).filter(isProfileShown);
  const pictures = new Map(shown.map(({ codename, hash }) => [codename, `/avatars/${hash}.webp`]));
  const details = codenames.map((codename): [string, RowDetails] => [
    codename,
    { avatar: pictures.get(codename) ?? null, trend: trends.get(codename) ?? null },
  ]);
  return new Map(details);
}

function withDayNumber<Row extends { day: string }>(row: Row) {
  return { ...row, day: dayNumber(row.day) };
}

export function frontView(ctx: AppContext): FrontBoard {
  return frontBoard(currentPublication(ctx));
}

type Shown = Pick<CurrentLeaderboard, 'class' | 'cohort' | 'metric' | 'tool' | 'trust' | 'window'>;

/** Whether the front page shows the same board. */
export function isFrontBoard(ctx: AppContext, shown: Shown): boolean {
  const { window, metric, tool } = frontView(ctx);
  const isUsual = shown.trust === DEFAULT_VIEW.trust;
  const isOfAll = isUsual && shown.class === null && shown.cohort === null;
  const isSame = shown.window === window && shown.metric === metric && shown.tool === tool;
  return isOfAll && isSame;
}
