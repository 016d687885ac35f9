import { getLeaderboard } from '#core/contract/leaderboard.ts';
import { bind, endpoint } from '#server/http/endpoint.ts';
import { readLeaderboard } from '#server/queries/leaderboard.ts';

export const ALL = endpoint(
  bind(getLeaderboard, ({ ctx, query }) => {
    const body = readLeaderboard(ctx, query);
    return { body, headers: nextLink(query, body.next_cursor) };
  }),
);

function nextLink(query: object, cursor: string | null): Record<string, string> {
  if (cursor === null) return {};
  const parameters = Object.entries({ ...query, cursor }).map(([name, value]) => [
    name,
    String(value),
  ]);
  const search = new URLSearchParams(parameters);
  return { Link: `<${getLeaderboard.path}?${search}>; rel="next"` };
}
