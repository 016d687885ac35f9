import type { Leaderboard, LeaderboardQuery } from '#core/contract/leaderboard.ts';
import { DomainError } from '#core/domain/errors.ts';
import type { AppContext } from '../context.ts';
import type { Publication } from '../publication/publication.ts';
import { currentPublication } from './current-publication.ts';

/**
 * A page of a board, from the publication that the cursor belongs to or the current one.
 *
 * @throws {DomainError} `cursor_expired` or `query_invalid` if the cursor does not serve.
 */
export function readLeaderboard(ctx: AppContext, query: LeaderboardQuery): Leaderboard {
  const { window, metric, limit, cursor, include } = query;
  const { publication, offset } = cursor
    ? openCursor(ctx, cursor)
    : { publication: currentPublication(ctx), offset: 0 };
  const board = publication.window(window);
  const total = board.total(metric);
  const end = offset + limit;
  const { ruleset, as_of, log_index, generated_at, next_refresh_at } = publication;
  return {
    ruleset,
    window,
    metric,
    as_of,
    log_index,
    generated_at,
    next_refresh_at,
    total,
    entries: board.entries(metric, offset, limit),
    next_cursor: end < total ? `${publication.id}.${end}` : null,
    ...(include && {
      unranked_total: board.unrankedTotal(metric),
      unranked: board.unranked(metric, limit),
    }),
  };
}

/** A cursor names its publication and the place in it. */
function openCursor(ctx: AppContext, cursor: string): { publication: Publication; offset: number } {
  const [, id, offset] = /^(\d{1,15})\.(\d{1,9})$/.exec(cursor) ?? [];
  if (id === undefined) {
    const detail = 'The cursor is not one that this board gave';
    throw new DomainError('query_invalid', detail, [
      { pointer: '#/cursor', code: 'cursor_invalid', detail },
    ]);
  }
  const publication = ctx.publications.byId(Number(id));
  if (!publication) throw new DomainError('cursor_expired', 'The board of this cursor is gone');
  return { publication, offset: Number(offset) };
}
