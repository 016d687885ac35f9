import { LeaderboardQuery } from '#core/contract/leaderboard.ts';
import { SubmissionsQuery } from '#core/contract/submissions.ts';
import type { AppContext } from '../context.ts';
import { readLeaderboard } from './leaderboard.ts';
import { readSubmissions } from './submissions.ts';

/** Names for examples that work on this board: its first operator, and the newest submission of theirs. */
export function readKnownNames(ctx: AppContext): Record<string, string> {
  const query = LeaderboardQuery.parse({ window: 'all_time', include: 'unranked', limit: '1' });
  const { entries, unranked = [] } = readLeaderboard(ctx, query);
  const codename = (entries[0] ?? unranked[0])?.codename;
  if (codename === undefined) return {};
  const [newest] = readSubmissions(ctx, SubmissionsQuery.parse({ codename, limit: '1' })).entries;
  return { codename, ...(newest && { submission: newest.id }) };
}
