import { describe, expect, test } from 'vitest';
import { LeaderboardQuery } from '#core/contract/leaderboard.ts';
import { LeadersQuery, MetricLeaders } from '#core/contract/metrics.ts';
import { METRIC_NAMES } from '#core/domain/metrics/metrics.ts';
import { readLeaderboard } from '#server/board/leaderboard.ts';
import { readMetricLeaders } from '#server/board/metric-page.ts';
import { anActive } from '#tests/support/board/boards.ts';
import { bucketsOfDays } from '#tests/support/board/builders.ts';
import { type TestContext, publish, testContext } from '#tests/support/board/context.ts';
import { refusal } from '#tests/support/http/refusal.ts';

/** Twelve ranked operators, of whom two also use a second tool. */
function aBoard(): TestContext {
  const ctx = testContext();
  for (let at = 0; at < 12; at += 1) {
    anActive(ctx, `op-${at}`, bucketsOfDays(10, '2026-03-01', { output: 10_000 + at }));
  }
  anActive(ctx, 'op-3', bucketsOfDays(10, '2026-03-01', { tool: 'codex' }));
  anActive(ctx, 'op-4', bucketsOfDays(10, '2026-03-01', { tool: 'codex' }));
  publish(ctx);
  return ctx;
}

const read = (ctx: TestContext, query: Record<string, string> = {}) =>
  readMetricLeaders(ctx, LeadersQuery.parse(query));

describe('readMetricLeaders()', () => {
  test('matches the contract, with the first ten of each leaderboard', () => {
    const ctx = aBoard();

    const leaders = read(ctx);

    expect(MetricLeaders.parse(leaders)).toEqual(leaders);
    expect(leaders).not.toHaveProperty('metric');
    expect(
      leaders.metrics.map(({ metric, total, entries }) => ({ metric, total, entries })),
    ).toEqual(
      METRIC_NAMES.map((metric) => {
        const board = readLeaderboard(ctx, LeaderboardQuery.parse({ metric, limit: '10' }));
        return { metric, total: 12, entries: board.entries };
      }),
    );
  });

  test('describes each metric', () => {
    expect(read(aBoard()).metrics[1]).toMatchObject({
      metric: 'leverage',
      formula: 'cache_read / input',
      direction: 'descending',
      unit: 'tokens read from the cache for each token of fresh input',
    });
  });

  test('returns one metric, window and tool on request', () => {
    const leaders = read(aBoard(), { metric: 'snr', window: '7d', tool: 'codex', trust: 'all' });

    expect(leaders).toMatchObject({ window: '7d', tool: 'codex', trust: 'all' });
    expect(leaders.metrics.map(({ metric, total }) => [metric, total])).toEqual([['snr', 2]]);
  });

  test('rejects an unknown tool', () => {
    expect(() => read(aBoard(), { tool: 'zed' })).toThrow(refusal('query_invalid', '#/tool'));
  });
});
