import type { Leaderboard, LeaderboardQuery, Moderation } from '#core/contract/leaderboard.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import type { BoardEntry } from '#core/schema/board.ts';
import type { AppContext } from '../context.ts';
import { sha256Hex } from '../process/crypto.ts';
import { boundedPage, invalidCursor } from '../publication/read/bounded-page.ts';
import { currentPublication } from '../publication/read/current-publication.ts';
import type { DailyEntry } from '../publication/read/daily-board.ts';
import type { Publication } from '../publication/read/publication.ts';
import type { PublishedBoard } from '../publication/read/published-board.ts';
import type { Among } from '../publication/read/published-operators.ts';
import {
  boardOf,
  choiceFilters,
  choiceOf,
  earlierBoard,
  earlierHeadOf,
  headOf,
  keptValues,
  refuseChoice,
  sliceOf,
} from './board-head.ts';

/** A page of a current board. */
export interface CurrentLeaderboard extends Leaderboard {
  entries: BoardEntry[];
  moderation: Moderation;
}

/**
 * A page of a board: from the publication of the cursor, from the current one, or from a past day.
 *
 * @throws {DomainError} `query_invalid` for an unknown tool or cohort, or a cursor of another query,
 * `cursor_expired` if the cursor's board is no longer available, `as_of_unavailable` for a day without a board.
 */
export function readLeaderboard(ctx: AppContext, query: LeaderboardQuery): Leaderboard {
  const cursor = openCursor(query);
  const current = currentPublication(ctx);
  const isOfDay = query.as_of !== undefined && query.as_of !== current.as_of;
  if (isOfDay && (cursor === null || cursor.version === 0)) {
    const ofDay = { ...query, as_of: query.as_of as string };
    // Values may be deleted meanwhile.
    return ctx.store.snapshot(() => earlierLeaderboard(ctx, ofDay, cursor));
  }
  const board = openBoard(ctx, query);
  return boundedPage(query.limit, (limit) => pageOf(ctx, { ...query, limit }, board));
}

export interface OpenBoard {
  publication: Publication;
  board: PublishedBoard;
  /** The search term; undefined for all. */
  among: Among | undefined;
  /** The start of the page; null for the first one. */
  cursor: BoardCursor | null;
}

/**
 * The board from the publication of the cursor, or from the current one.
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

function publicationOf(ctx: AppContext, { as_of }: LeaderboardQuery, { version }: BoardCursor) {
  const publication = ctx.publications.byId(version, as_of);
  if (!publication)
    throw new DomainError('cursor_expired', 'The board of this cursor is no longer available');
  return publication;
}

/** The start of a first page. */
const START: BoardCursor = { version: 0, ranked: 0, unranked: 0 };

/** The requested page of a board. */
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
    values: 'kept',
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

/** A page of a past day's board. Its cursors contain positions, which never change. */
function earlierLeaderboard(
  ctx: AppContext,
  query: LeaderboardQuery & { as_of: string },
  cursor: BoardCursor | null,
): Leaderboard {
  refuseChoice(query);
  const { window, metric, limit, include } = query;
  const current = currentPublication(ctx);
  const board = earlierBoard(ctx, current, query.as_of, query);
  const named = query.q?.toLowerCase();
  const ranked = board.ranked(window, metric, named);
  const rest = ranked.filter(({ place }) => place >= (cursor?.ranked ?? 0));
  const next = rest[limit]?.place;
  return {
    ...earlierHeadOf(board, current, query),
    ...choiceFilters(ctx, { class_tier: null, cohort: null }),
    moderation: null,
    values: keptValues(board.publication),
    metric,
    total: ranked.length,
    entries: rest.slice(0, limit).map((row) => entryOf(board.entry(row, window, metric))),
    next_cursor:
      next === undefined ? null : cursorText(query, { version: 0, ranked: next, unranked: END }),
    ...(include && {
      unranked_total: board.unrankedTotal(window, metric, named),
      unranked: [],
    }),
  };
}

function entryOf({ rank, codename, display_name, metrics, ...measured }: DailyEntry) {
  return {
    rank,
    rank_range: null,
    movement: null,
    codename,
    display_name,
    class_tier: null,
    trust: null,
    metrics,
    ...measured,
    totals: null,
    coverage: null,
    active_days: null,
    tools: null,
    last_active: null,
  };
}

export interface BoardCursor {
  /** The version of the board; 0 for an earlier board, which is identified by its day. */
  version: number;
  /** Positions in the list of ranked operators and in the list of the others. */
  ranked: number;
  unranked: number;
}

export const END = 999_999_999;

/** The length of the query's hash in a cursor. */
const HASH_LENGTH = 16;
const FORM = new RegExp(`^(\\d{1,15})\\.(\\d{1,9})\\.(\\d{1,9})\\.([0-9a-f]{${HASH_LENGTH}})$`);

export function cursorText(query: LeaderboardQuery, cursor: BoardCursor): string {
  const { version, ranked, unranked } = cursor;
  return `${version}.${ranked}.${unranked}.${hashOf(query)}`;
}

/**
 * The cursor of a query; null if there is none.
 *
 * @throws {DomainError} `query_invalid` if the cursor belongs to another query.
 */
export function openCursor(query: LeaderboardQuery): BoardCursor | null {
  if (query.cursor === undefined) return null;
  const [, version, ranked, unranked, hash] = FORM.exec(query.cursor) ?? [];
  if (version === undefined) throw invalidCursor('The cursor is not from this board');
  if (hash !== hashOf(query)) {
    throw invalidCursor(
      'The cursor belongs to another query. Use the same parameters as in the first request',
    );
  }
  return {
    version: Number(version),
    ranked: Number(ranked),
    unranked: Number(unranked),
  };
}

function hashOf({ window, metric, tool, trust, q, as_of, include, ...query }: LeaderboardQuery) {
  const choice = [query.class, query.cohort];
  const text = JSON.stringify([window, metric, tool, trust, q, as_of, include, ...choice]);
  return sha256Hex(text).slice(0, HASH_LENGTH);
}
