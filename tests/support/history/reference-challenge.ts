/** The standings of the challenges that are not over, by brute force. */
import { rankingValue, whatIsMissing } from '#core/domain/board/board.ts';
import { GRACE_DAYS } from '#core/domain/board/challenge.ts';
import { intervalOfRuleset } from '#core/domain/board/ruleset.ts';
import { dayNumber } from '#core/domain/counting/day.ts';
import { BASIS, seriesOf } from '#core/domain/metrics/day-series.ts';
import { unroundedMetric } from '#core/domain/metrics/metrics.ts';
import { standingOf } from '#core/domain/metrics/standing.ts';
import type { ChallengeRow } from '#db/challenges.ts';
import type { Store } from '#db/store.ts';
import { type Reference, type ReferenceRow, rankRows, usageIn } from './reference-board.ts';
import { statedShare } from './reference-members.ts';

/** Whether a challenge has current standings: it has begun, and there are no final standings and none are due. */
function isOpen({ cancelled_at, frozen_at, first_day, last_day }: ChallengeRow, as_of: string) {
  const isOver = frozen_at !== null || dayNumber(as_of) > dayNumber(last_day) + GRACE_DAYS;
  return cancelled_at === null && first_day <= as_of && !isOver;
}

export function openChallenges(store: Store, as_of: string): ChallengeRow[] {
  return store.challenges.all().filter((challenge) => isOpen(challenge, as_of));
}

export function challengeStandings({ members }: Reference, challenge: ChallengeRow) {
  const { metric, tool, eligibility } = challenge;
  const [first, last] = [dayNumber(challenge.first_day), dayNumber(challenge.last_day)];
  const interval = intervalOfRuleset(challenge.ruleset);
  const rows = members.flatMap((member): ReferenceRow[] => {
    const series = seriesOf(usageIn(member, { tool, trust: 'signed' }));
    const counted = standingOf(series, first, last, { ...eligibility, interval });
    if (!counted) return [];
    const stated_days = statedShare(member, { first, last }, eligibility.stated_days);
    return [{ member, standing: { ...counted, stated_days }, parts: [] }];
  });
  const { ranked } = rankRows(rows, metric, eligibility);
  const named = ({ member: { codename, display_name } }: ReferenceRow) => ({
    codename,
    display_name,
  });
  const numbers = ({ standing }: ReferenceRow) => ({
    value: standing.metrics[metric],
    conservative: standing.conservative[metric],
    interval: standing.intervals[metric],
    total: standing.bases.all.total,
    active_days: standing.bases[BASIS[metric]].active_days,
  });
  const entries = ranked.map(({ row, rank, best, worst }, index) => {
    return { place: index + 1, rank, rank_range: [best, worst], ...named(row), ...numbers(row) };
  });
  const unranked = rows
    .filter(({ standing }) => rankingValue(standing, metric, eligibility) === null)
    .map((row) => ({ row, heights: heightsOf(row, challenge) }))
    .sort((a, b) => falling(a.heights, b.heights))
    .map(({ row }) => {
      const reasons = whatIsMissing(row.standing, metric, eligibility);
      return { ...named(row), ...numbers(row), reasons };
    });
  return { total: entries.length, length: rows.length, entries, unranked };
}

/** What decides the order of unranked participants: conservative value, value, tokens. */
function heightsOf({ standing }: ReferenceRow, { metric }: ChallengeRow): number[] {
  const value = unroundedMetric(metric, standing.bases[BASIS[metric]]);
  const numbers = [standing.conservative[metric], value, standing.bases.all.total];
  return numbers.map((number) => number ?? Number.NEGATIVE_INFINITY);
}

function falling(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((number, index) => number !== b[index]);
  if (at < 0) return 0;
  return (b[at] as number) > (a[at] as number) ? 1 : -1;
}
