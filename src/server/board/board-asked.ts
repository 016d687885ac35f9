/** Which board the address of a page asks for. */
import { LeaderboardQuery } from '#core/contract/leaderboard.ts';
import { BOARD_PARAMETERS } from '#core/domain/board/board-path.ts';
import { nullIfRefused } from '#core/domain/text/errors.ts';
import { type BoardHead, WindowName } from '#core/schema/board.ts';
import { MetricName } from '#core/schema/record.ts';
import type { AppContext } from '../context.ts';
import type { PublishedBoard } from '../publication/read/published-board.ts';
import type { Publication } from '../publication/read/publication.ts';
import { choiceOf } from './board-choice.ts';
import { sliceOf } from './board-head.ts';
import { currentPublication } from '../publication/read/current-publication.ts';

export type BoardName = Pick<BoardHead, 'metric' | 'window'>;

/** The board that a path names, if there is such a board. */
export function boardNamed(path: Record<string, string | undefined>): BoardName | null {
  const window = WindowName.safeParse(path['window']);
  const metric = MetricName.safeParse(path['metric']);
  return window.success && metric.success ? { window: window.data, metric: metric.data } : null;
}

/**
 * What the parameters of a board's address choose; those that are empty or unknown choose nothing. Null
 * where there is no such board.
 */
export function boardAsked(
  ctx: AppContext,
  board: BoardName,
  parameters: URLSearchParams,
): LeaderboardQuery | null {
  const given = BOARD_PARAMETERS.flatMap((name) => {
    const text = parameters.get(name) ?? '';
    // Names may begin and end with spaces; what somebody typed does not.
    const value = name === 'q' ? text.trim() : text;
    return value === '' ? [] : [[name === 'after' ? 'cursor' : name, value]];
  });
  const query = LeaderboardQuery.safeParse({ ...Object.fromEntries(given), ...board });
  return query.success && isKnown(ctx, query.data) ? query.data : null;
}

/** @throws {DomainError} `query_invalid` if its tool or cohort has no board. */
export function boardOf(
  ctx: AppContext,
  publication: Publication,
  query: LeaderboardQuery,
): PublishedBoard {
  return publication.window(query.window, sliceOf(query, publication.tools), choiceOf(ctx, query));
}

function isKnown(ctx: AppContext, query: LeaderboardQuery): boolean {
  const board = nullIfRefused(() => boardOf(ctx, currentPublication(ctx), query), 'query_invalid');
  return board !== null;
}
