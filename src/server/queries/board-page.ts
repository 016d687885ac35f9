import { LeaderboardQuery } from '#core/contract/leaderboard.ts';
import { DomainError } from '#core/domain/errors.ts';
import { WINDOWS } from '#core/domain/window.ts';
import { type BoardHead, WindowName } from '#core/schema/board.ts';
import { MetricName } from '#core/schema/record.ts';
import type { AppContext } from '../context.ts';
import { currentPublication } from './current-publication.ts';
import { type CurrentLeaderboard, readCurrentLeaderboard } from './leaderboard.ts';

export type BoardName = Pick<BoardHead, 'metric' | 'window'>;

export interface BoardPage {
  sheet: CurrentLeaderboard;
  /** Whether it is the first page, which also shows who is not ranked. */
  first: boolean;
  /** Where the window is empty: the widest one in which anybody has tokens. */
  elsewhere: WindowName | null;
}

/** The board that a path names, if there is such a board. */
export function boardNamed(path: Record<string, string | undefined>): BoardName | null {
  const window = WindowName.safeParse(path['window']);
  const metric = MetricName.safeParse(path['metric']);
  return window.success && metric.success ? { window: window.data, metric: metric.data } : null;
}

/** The first page of a board, and who is not ranked there. */
export function readFirstPage(ctx: AppContext, board: BoardName): BoardPage {
  const query = LeaderboardQuery.parse(board);
  const { window, metric, limit } = query;
  const published = currentPublication(ctx).window(window);
  const unranked_total = published.unrankedTotal(metric);
  const unranked = published.unranked(metric, { from: 0, limit }).entries;
  const sheet = { ...readCurrentLeaderboard(ctx, query), unranked, unranked_total };
  const isEmpty = sheet.total + unranked_total === 0;
  return { sheet, first: true, elsewhere: isEmpty ? widestWindow(ctx, board.metric) : null };
}

/** The page of a board that a cursor names; null if the cursor does not serve. */
export function readFurtherPage(
  ctx: AppContext,
  board: BoardName,
  cursor: string,
): BoardPage | null {
  try {
    const sheet = readCurrentLeaderboard(ctx, LeaderboardQuery.parse({ ...board, cursor }));
    return sheet.entries.length > 0 ? { sheet, first: false, elsewhere: null } : null;
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
}

/** The widest window in which anybody has tokens. */
function widestWindow(ctx: AppContext, metric: MetricName): WindowName | null {
  const publication = currentPublication(ctx);
  const isPeopled = (window: WindowName) => {
    const board = publication.window(window);
    return board.total(metric) + board.unrankedTotal(metric) > 0;
  };
  return WINDOWS.findLast(isPeopled) ?? null;
}
