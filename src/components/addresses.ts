import { boardPath } from '#core/domain/board-path.ts';
import type { BoardHead } from '#core/schema/board.ts';

type BoardName = Pick<BoardHead, 'window' | 'metric'>;

/** The page of a board, or one of its further pages. */
export function boardHref(board: BoardName, after?: string): string {
  const path = boardPath(board);
  return after === undefined ? path : `${path}?after=${encodeURIComponent(after)}`;
}

/** The same board as JSON. */
export function boardJsonHref({ window, metric }: BoardName): string {
  return `/api/v1/leaderboard?window=${window}&metric=${metric}`;
}
