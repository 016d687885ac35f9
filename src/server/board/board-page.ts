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
  /** Whether it is the first page, which also lists unranked operators. */
  first: boolean;
  from: number;
  /** The cursor of the previous page; null if that is the first, or unknown. */
  previous: string | null;
  cursor: string | null;
  /** If the window is empty: the longest one with tokens. */
  elsewhere: WindowName | null;
  /** By codename. Yields to the event loop while reading. */
  details: () => Promise<ReadonlyMap<string, RowDetails>>;
  /** The distribution of all ranked operators, regardless of a search; null if there are too few. */
  distribution: Distribution | null;
}

/** Why there is no such page: unknown filter, or expired cursor. */
type NoPage = 'gone' | 'unknown';

/** The page of a board for a URL. */
export function readBoardPage(
  ctx: AppContext,
  board: BoardName,
  parameters: URLSearchParams,
): BoardPage | NoPage {
  const query = boardAsked(ctx, board, parameters);
  if (query === null) return 'unknown';
  return query.cursor === undefined ? firstPage(ctx, query) : (furtherPage(ctx, query) ?? 'gone');
}

/** The front page's board. */
export function readFrontPage(ctx: AppContext): BoardPage {
  const { tool, ...board } = frontView(ctx);
  return firstPage(ctx, LeaderboardQuery.parse(tool === null ? board : { ...board, tool }));
}

/** The first page of a board, with unranked operators. */
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

/** The page of a board at a cursor; null if the cursor is invalid. */
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

/** In search results only the first and the next page are known. */
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
 * The details of rows by codename. Yields to the event loop, because the days of a large account take up to 200 ms.
 * Operators who have changed their codename since the update have no details.
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
