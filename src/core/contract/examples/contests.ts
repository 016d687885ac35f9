/** Examples of records and challenges. */
import { exactMetrics } from '#core/domain/metrics/metrics.ts';
import type { MetricName } from '#core/schema/record.ts';
import type { SignalRecord } from '#core/schema/signal-record.ts';
import { getChallenge, listChallenges } from '../challenges.ts';
import { exampleOf } from './example.ts';
import { BUCKET, HEAD, MONTH, SUBMISSION, intervalAround, totalsOf } from './parts.ts';
import { getHallOfSignal } from '../hall-of-signal.ts';

const { as_of, log_index, generated_at, next_refresh_at } = HEAD;

function recordOf(metric: MetricName, codename: string): SignalRecord {
  const [value, high] = intervalAround(exactMetrics(MONTH)[metric]) ?? [0, null];
  return {
    codename,
    display_name: null,
    value,
    interval: [value, high],
    first_day: '2026-10-22',
    last_day: BUCKET.day,
    achieved_at: generated_at,
    submission: SUBMISSION,
  };
}

const CHALLENGE = {
  id: 'november-by-leverage',
  title: 'November by leverage',
  description: 'Who lets the cache carry most of the reading this month?',
  metric: 'leverage',
  tool: BUCKET.tool,
  first_day: '2026-11-01',
  last_day: '2026-11-30',
  eligibility: {
    active_day_tokens: 10_000,
    active_days: 7,
    effective_days: 3,
    total_tokens: 1_000_000,
    output_tokens: 50_000,
    coverage: 0.9,
  },
  status: 'active',
  closes_at: '2026-12-03T00:00:00.000Z',
  ruleset: HEAD.ruleset,
  created_at: '2026-10-28T09:30:00.000Z',
  cancelled_at: null,
  cancelled_reason: null,
} as const;

export const CONTEST_EXAMPLES = [
  exampleOf(getHallOfSignal, {
    reply: {
      as_of,
      log_index,
      generated_at,
      next_refresh_at,
      metrics: [{ metric: 'yield', record: recordOf('yield', 'ada'), earlier: [] }],
    },
  }),
  exampleOf(listChallenges, {
    query: { status: 'active' },
    reply: { total: 1, entries: [CHALLENGE], next_cursor: null },
  }),
  exampleOf(getChallenge, {
    params: { id: CHALLENGE.id },
    query: { limit: '1' },
    reply: {
      ...CHALLENGE,
      log_index,
      generated_at,
      frozen_at: null,
      provisional: true,
      unranked_total: 0,
      unranked: [],
      total: 1,
      entries: [
        {
          place: 1,
          rank: 1,
          rank_range: [1, 1],
          codename: 'ada',
          display_name: null,
          value: exactMetrics(MONTH).leverage,
          interval: intervalAround(exactMetrics(MONTH).leverage),
          total: totalsOf(MONTH).total,
          active_days: 14,
        },
      ],
      next_cursor: null,
    },
  }),
];
