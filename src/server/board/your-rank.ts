/** The rank of the signed-in operator on a board. */
import type { LeaderboardQuery } from '#core/contract/leaderboard.ts';
import { DEFAULT_SLICE } from '#core/domain/board/slices.ts';
import type { YourStanding } from '#core/domain/board/your-standing.ts';
import type { ClassTier } from '#core/schema/board.ts';
import type { AppContext } from '../context.ts';
import { operatorOf } from '../operator/operator.ts';
import type { PublishedBoard } from '../publication/read/published-board.ts';
import type { Publication } from '../publication/read/publication.ts';
import {
  boardAsked,
  boardNamed,
  boardOf,
  choiceFilters,
  choiceOf,
  headOf,
  sliceOf,
} from './board-head.ts';
import { cursorText, END } from './leaderboard.ts';
import { currentPublication } from '../publication/read/current-publication.ts';
import { frontView } from './board-page.ts';
import { unseenStanding } from './your-standing.ts';
import { sliceDays } from '../publication/read/recent-days.ts';

/** The caller's row on a board, or why there is none. */
export interface YourRank {
  board: ReturnType<typeof headOf> &
    ReturnType<typeof choiceFilters> &
    Pick<LeaderboardQuery, 'metric'> & { q: null };
  codename: string;
  /** The operator's public name; null for private and hidden operators. */
  public_name: string | null;
  class_tier: ClassTier;
  total: number;
  /** Null if no counts of the operator are on the board. */
  standing: YourStanding | null;
  /** Whether a filter of the board excludes the caller. */
  isLeftOut: boolean;
  /** The cursor of the page with the row; null for the first page, and without a rank. */
  after: string | null;
}

/** The requested board, by default the front page's; null if there is no such board. */
export function yourBoardQuery(ctx: AppContext, parameters: URLSearchParams) {
  const { window, metric, tool } = frontView(ctx);
  const asked = new URLSearchParams(parameters.size > 0 ? parameters : { tool: tool ?? '' });
  asked.delete('q');
  asked.delete('after');
  const board = boardNamed({ window, metric, ...Object.fromEntries(parameters) });
  return board && boardAsked(ctx, board, asked);
}

/** Prepares the data of private and hidden operators for {@linkcode readYourRank}. Yields to the event loop. */
export async function readyYourRank(ctx: AppContext, operator_id: number, query: LeaderboardQuery) {
  const operator = operatorOf(ctx, operator_id);
  const { tool = null, trust } = query;
  if (operator.public_name !== null) return;
  await sliceDays(ctx, operator, { tool, trust }).ready();
  if (ctx.ruleset.stated_days) await sliceDays(ctx, operator, DEFAULT_SLICE).ready();
}

/**
 * The caller's rank on a board, also for private and hidden callers.
 *
 * @param query From {@linkcode yourBoardQuery}.
 * @throws {DomainError} `not_found` if the account was deleted.
 */
export function readYourRank(
  ctx: AppContext,
  operator_id: number,
  query: LeaderboardQuery,
): YourRank {
  const operator = operatorOf(ctx, operator_id);
  const publication = currentPublication(ctx);
  const { codename, public_name } = operator;
  const board = boardOf(ctx, publication, query);
  const found = public_name === null ? null : board.find(query.metric, public_name);
  const unseen = () => unseenStanding(ctx, publication, operator, query);
  const standing = public_name === null ? unseen() : found && standingIn(found, query);
  return {
    board: boardHeadOf(ctx, publication, query),
    codename,
    public_name,
    class_tier: publication.operators.classOf(public_name),
    total: board.total(query.metric),
    standing,
    isLeftOut: standing === null && isElsewhere(ctx, publication, query, public_name),
    after: standing?.ranked ? pageOf(publication, query, standing.ranked.rank) : null,
  };
}

function boardHeadOf(ctx: AppContext, publication: Publication, query: LeaderboardQuery) {
  const { metric } = query;
  const chosen = choiceFilters(ctx, choiceOf(ctx, query));
  return { ...headOf(publication, query), ...chosen, metric, q: null };
}

function standingIn(
  found: NonNullable<ReturnType<PublishedBoard['find']>>,
  { metric }: Pick<LeaderboardQuery, 'metric'>,
): YourStanding {
  const { metrics, conservative, interval, active_days } = found;
  const measured = { value: metrics[metric], conservative, interval, active_days };
  if ('reasons' in found) return { ...measured, ranked: null, reasons: found.reasons };
  const { rank, rank_range, movement } = found;
  return { ...measured, ranked: { rank, rank_range, movement }, reasons: [] };
}

/** Whether an operator that the filter excludes is on the unfiltered board. */
function isElsewhere(
  ctx: AppContext,
  publication: Publication,
  { class: _class, cohort: _cohort, ...query }: LeaderboardQuery,
  public_name: string | null,
): boolean {
  return (
    public_name !== null &&
    boardOf(ctx, publication, query).find(query.metric, public_name) !== null
  );
}

/** The cursor of the page with a rank. With many equal ranks, the row may be on the next page. */
function pageOf(publication: Publication, query: LeaderboardQuery, rank: number): string | null {
  const ranked = Math.floor((rank - 1) / query.limit) * query.limit;
  if (ranked === 0) return null;
  const version = publication.boardVersion(query.window, sliceOf(query, publication.tools));
  return cursorText(query, { version, ranked, unranked: END });
}
