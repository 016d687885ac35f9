import { getLeaderboard } from '#core/contract/leaderboard.ts';
import { cursorHeaders } from '#server/http/response/cache-control.ts';
import { bind, endpoint } from '#server/http/endpoint.ts';
import { readLeaderboard } from '#server/board/leaderboard.ts';

export const ALL = endpoint(
  bind(getLeaderboard, ({ ctx, query }) => {
    const body = readLeaderboard(ctx, query);
    return { body, headers: cursorHeaders(ctx.config, body) };
  }),
);
