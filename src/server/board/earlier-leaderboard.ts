import type {
  Leaderboard,
  LeaderboardEntry,
  LeaderboardQuery,
} from '#core/contract/leaderboard.ts';
import type { AppContext } from '../context.ts';
import type { DailyEntry } from '../publication/read/daily-board.ts';
import { choiceFilters, refuseChoice } from './board-choice.ts';
import { type BoardCursor, END, cursorText } from './board-cursor.ts';
import { earlierBoard, earlierHeadOf } from './board-head.ts';
import { currentPublication } from '../publication/read/current-publication.ts';

/** A page of the board of a day that is over. Its cursors name places, which never change. */
export function earlierLeaderboard(
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

function entryOf({
  rank,
  codename,
  display_name,
  metrics,
  interval,
}: DailyEntry): LeaderboardEntry {
  return {
    rank,
    rank_range: null,
    movement: null,
    codename,
    display_name,
    class_tier: null,
    trust: null,
    metrics,
    interval,
    totals: null,
    coverage: null,
    active_days: null,
    tools: null,
    last_active: null,
  };
}
