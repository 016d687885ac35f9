import { getLeaderboard } from '#core/contract/leaderboard.ts';
import { bind, endpoint } from '#server/http/endpoint.ts';
import { readLeaderboard } from '#server/queries/leaderboard.ts';

export const ALL = endpoint(
  bind(getLeaderboard, ({ ctx, query }) => ({ body: readLeaderboard(ctx, query) })),
);
