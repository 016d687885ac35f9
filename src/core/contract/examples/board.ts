/** Examples of what the board says of operators. */
import { exactMetrics, significant } from '#core/domain/metrics/metrics.ts';
import type { Cascade, MetricStanding, Shape } from '#core/schema/operator.ts';
import type { MetricName } from '#core/schema/record.ts';
import type { Pillars } from '#core/schema/usage.ts';
import { listDays } from '../days.ts';
import { exampleOf } from './example.ts';
import {
  BUCKET,
  DEVICE_KEY,
  ENROLLED_AT,
  FILTERS,
  HEAD,
  MONTH,
  RECORD,
  entryOf,
  intervalAround,
  totalsOf,
} from './parts.ts';
import { getLeaderboard } from '../leaderboard.ts';
import { getMetricLeaders } from '../metrics.ts';
import {
  getOperator,
  getOperatorHistory,
  getOperatorKeys,
  getOperatorRecords,
} from '../operators.ts';

const SECOND: Pillars = {
  input: 2_114_377,
  output: 10_870_412,
  cache_write: 96_430_118,
  cache_read: 1_902_556_031,
};
const ADA = entryOf(1, 'ada', MONTH);
const GRACE = entryOf(2, 'grace', SECOND);

const tools = [...FILTERS.tools];
/** Of the operators, none is left out. */
const EVERYBODY = { class: null, cohort: null, cohorts: [] };
const { provider, model, tool, day } = BUCKET;
const usage = { totals: totalsOf(MONTH), metrics: exactMetrics(MONTH) };

export const BOARD_EXAMPLES = [
  exampleOf(getLeaderboard, {
    query: { window: '30d', metric: 'yield', limit: '2' },
    reply: {
      ...HEAD,
      ...FILTERS,
      ...EVERYBODY,
      moderation: { held_submissions: 0, hidden_operators: 0 },
      metric: 'yield',
      tools,
      total: 2,
      entries: [ADA, GRACE],
      next_cursor: null,
    },
  }),
  exampleOf(listDays, {
    query: { limit: '1' },
    reply: {
      total: 2,
      entries: [
        {
          day: '2026-11-19',
          log_index: HEAD.log_index - 1,
          ruleset: HEAD.ruleset,
          generated_at: '2026-11-19T23:55:00.000Z',
          tools,
        },
      ],
      next_cursor: '2026-11-19',
    },
  }),
  exampleOf(getMetricLeaders, {
    query: { window: '30d', metric: 'leverage' },
    reply: {
      ...HEAD,
      ...FILTERS,
      ...EVERYBODY,
      tools,
      metrics: [
        {
          metric: 'leverage',
          formula: 'cache_read / input',
          direction: 'descending',
          unit: 'tokens read from the cache for each token of fresh input',
          total: 2,
          median: null,
          class_medians: [{ class_tier: ADA.class_tier, n: 2, median: null }],
          entries: [ADA, GRACE],
        },
      ],
    },
  }),
  exampleOf(getOperator, {
    params: { codename: 'ada' },
    query: { window: '30d' },
    reply: {
      ...HEAD,
      ...FILTERS,
      tools,
      codename: 'ada',
      display_name: null,
      bio: null,
      location: null,
      links: null,
      avatar_url: null,
      cohort: null,
      class_tier: ADA.class_tier,
      class_by_tool: [
        { tool, has_board: true, tokens: usage.totals.total, class_tier: ADA.class_tier },
      ],
      records_held: ['yield'],
      devices: 1,
      standing: {
        trust: 'signed',
        metrics: standingsOf(MONTH),
        totals: usage.totals,
        cascade: cascadeOf(MONTH),
        shape: shapeOf(MONTH),
        tools: [{ tool, ...usage }],
        models: [{ provider, model, ...usage }],
        other_models: null,
        last_active: day,
      },
    },
  }),
  exampleOf(getOperatorHistory, {
    params: { codename: 'ada' },
    query: { window: '7d', interval: 'day' },
    reply: {
      codename: 'ada',
      window: '7d',
      metric: 'yield',
      interval: 'day',
      as_of: HEAD.as_of,
      log_index: HEAD.log_index,
      points: [
        { date: day, ...totalsOf(pillarsOf(BUCKET)), metrics: exactMetrics(BUCKET), rank: 1 },
      ],
    },
  }),
  exampleOf(getOperatorRecords, {
    params: { codename: 'ada' },
    query: { limit: '1' },
    reply: { codename: 'ada', total: 1, entries: [RECORD], next_cursor: null },
  }),
  exampleOf(getOperatorKeys, {
    params: { codename: 'ada' },
    reply: {
      codename: 'ada',
      total: 1,
      keys: [{ ...DEVICE_KEY, enrolled_at: ENROLLED_AT, revoked_at: null, revoked_reason: null }],
    },
  }),
];

function pillarsOf({ input, output, cache_write, cache_read }: Pillars): Pillars {
  return { input, output, cache_write, cache_read };
}

function standingsOf(counts: Pillars): Record<MetricName, MetricStanding> {
  const standings = Object.entries(exactMetrics(counts)).map(([name, value]) => [
    name,
    {
      value,
      interval: intervalAround(value),
      rank: 1,
      rank_range: [1, 1],
      total: 2,
      percentile: null,
      median: null,
      coverage: 1,
      active_days: 21,
      reasons: [],
    },
  ]);
  return Object.fromEntries(standings) as Record<MetricName, MetricStanding>;
}

function cascadeOf({ input, output, cache_write, cache_read }: Pillars): Cascade {
  return {
    transmission: significant(output / input),
    commitment: significant((cache_write ?? 0) / output),
    reuse: significant((cache_read ?? 0) / (cache_write ?? 0)),
  };
}

function shapeOf(counts: Pillars): Shape {
  const { total } = totalsOf(counts);
  const shares = Object.entries(counts).map(([pillar, count]) => {
    return [pillar, significant((count as number) / total)];
  });
  return Object.fromEntries(shares) as Shape;
}
