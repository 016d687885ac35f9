import { ChallengeQuery, ChallengesQuery } from '#core/contract/challenges.ts';
import { MAIN_METRICS } from '#core/domain/metrics/metrics.ts';
import type { Challenge, ChallengeEntry } from '#core/schema/challenge.ts';
import type { MetricName } from '#core/schema/record.ts';
import type { AppContext } from '../context.ts';
import { readChallenge, readChallenges } from '../challenge/challenges.ts';
import { readMetricsPage, readRecordsNow } from './metric-page.ts';

/** How many places of a list are readable from far away. */
const PLACES = 6;
const SHOWN = new Set<MetricName>(MAIN_METRICS);

export interface ScreenChallenge {
  challenge: Challenge;
  entries: readonly ChallengeEntry[];
}

/** What a big screen shows in turn: boards of the front page's tool, records, and running challenges. */
export function readBigScreen(ctx: AppContext) {
  const { head, leaders } = readMetricsPage(ctx);
  const boards = leaders
    .filter(({ metric, total }) => SHOWN.has(metric) && total > 0)
    .map(({ metric, entries }) => ({ metric, entries: entries.slice(0, PLACES) }));
  const records = readRecordsNow(ctx).filter(({ metric }) => SHOWN.has(metric));
  const running = readChallenges(ctx, ChallengesQuery.parse({ status: 'active' })).entries;
  const first = ChallengeQuery.parse({ limit: String(PLACES) });
  const challenges = running.map(({ id }): ScreenChallenge => {
    const { entries, ...challenge } = readChallenge(ctx, id, first);
    return { challenge, entries };
  });
  return { head, boards, records, challenges };
}
