import type { Leaderboard, LeaderboardQuery, Moderation } from '#core/contract/leaderboard.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import type { BoardEntry } from '#core/schema/board.ts';
import type { AppContext } from '../context.ts';
import type { Publication } from '../publication/read/publication.ts';
import type { PublishedBoard } from '../publication/read/published-board.ts';
import type { Among } from '../publication/read/published-operators.ts';
import { boardOf } from './board-asked.ts';
import { choiceFilters, choiceOf } from './board-choice.ts';
import { type BoardCursor, END, cursorText, openCursor } from './board-cursor.ts';
import { headOf, sliceOf } from './board-head.ts';
import { boundedPage } from '../publication/read/bounded-page.ts';
import { currentPublication } from '../publication/read/current-publication.ts';
import { earlierLeaderboard } from './earlier-leaderboard.ts';

/** A page of a current board, of which everything is known. */
export interface CurrentLeaderboard extends Leaderboard {
  entries: BoardEntry[];
  moderation: Moderation;
}

/**
 * A page of a board: of the publication that the cursor belongs to, of the current one, or of an
 * earlier day.
 *
 * @throws {DomainError} `query_invalid` for an unknown tool or cohort, or a cursor of another query,
 * `cursor_expired` if the cursor's board is gone, `as_of_unavailable` for a day without board.
 */
export function readLeaderboard(ctx: AppContext, query: LeaderboardQuery): Leaderboard {
  const cursor = openCursor(query);
  const current = currentPublication(ctx);
  const isOfDay = query.as_of !== undefined && query.as_of !== current.as_of;
  if (isOfDay && (cursor === null || cursor.version === 0)) {
    return earlierLeaderboard(ctx, { ...query, as_of: query.as_of as string }, cursor);
  }
  const board = openBoard(ctx, query);
  return boundedPage(query.limit, (limit) => pageOf(ctx, { ...query, limit }, board));
}

/** A board of which pages are read. */
export interface OpenBoard {
  publication: Publication;
  board: PublishedBoard;
  /** Who is searched for; undefined for all. */
  among: Among | undefined;
  /** Where the page begins; null for the first one. */
  cursor: BoardCursor | null;
}

/**
 * The board of the publication that a query's cursor belongs to, or of the current one.
 *
 * @throws {DomainError} as {@linkcode readLeaderboard}.
 */
export function openBoard(ctx: AppContext, query: LeaderboardQuery): OpenBoard {
  const { q } = query;
  const cursor = openCursor(query);
  const publication = cursor ? publicationOf(ctx, query, cursor) : currentPublication(ctx);
  const board = boardOf(ctx, publication, query);
  return {
    publication,
    board,
    among: q === undefined ? undefined : publication.operators.named(q),
    cursor,
  };
}

function publicationOf(
  ctx: AppContext,
  { as_of }: LeaderboardQuery,
  { version }: BoardCursor,
): Publication {
  const publication = ctx.publications.byId(version);
  const isOfDay = as_of === undefined || as_of === publication?.as_of;
  if (!publication || !isOfDay)
    throw new DomainError('cursor_expired', 'The board of this cursor is gone');
  return publication;
}

/** Where a first page begins. */
const START: BoardCursor = { version: 0, ranked: 0, unranked: 0 };

/** The page of a board that its query asks for. */
export function pageOf(
  ctx: AppContext,
  query: LeaderboardQuery,
  { publication, board, among, cursor }: OpenBoard,
): CurrentLeaderboard {
  const { metric, limit } = query;
  const from = cursor ?? START;
  const ranked = board.ranked(metric, { from: from.ranked, limit, among });
  const others = query.include && board.unranked(metric, { from: from.unranked, limit, among });
  return {
    ...headOf(publication, query),
    ...choiceFilters(ctx, choiceOf(ctx, query)),
    moderation: { ...publication.moderation },
    metric,
    total: board.total(metric, among),
    entries: ranked.entries,
    next_cursor: nextCursor(query, publication, ranked.next, others?.next ?? null),
    ...(others && {
      unranked_total: board.unrankedTotal(metric, among),
      unranked: others.entries,
    }),
  };
}

function nextCursor(
  query: LeaderboardQuery,
  publication: Publication,
  ranked: number | null,
  unranked: number | null,
): string | null {
  if (ranked === null && unranked === null) return null;
  const version = publication.boardVersion(query.window, sliceOf(query, publication.tools));
  return cursorText(query, { version, ranked: ranked ?? END, unranked: unranked ?? END });
}
