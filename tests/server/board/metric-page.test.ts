import { describe, expect, test } from 'vitest';
import { LeadersQuery } from '#core/contract/metrics.ts';
import { METRIC_NAMES } from '#core/domain/metrics/metrics.ts';
import {
  metricNamed,
  readMetricLeaders,
  readMetricPage,
  readMetricsPage,
} from '#server/board/metric-page.ts';
import { aBoard, anActive, tenDays } from '#tests/support/board/boards.ts';
import { bucketsOfDays } from '#tests/support/board/builders.ts';
import { publish, testContext } from '#tests/support/board/context.ts';

describe('metricNamed()', () => {
  test.each([...METRIC_NAMES])('finds %s', (name) => expect(metricNamed(name)).toBe(name));
  test.each(['', 'Yield', 'constructor', '__proto__', undefined])('does not find %s', (name) => {
    expect(metricNamed(name)).toBeNull();
  });
});

describe('readMetricPage()', () => {
  test("has the API's numbers, for the front page's tool", () => {
    const ctx = aBoard(12);
    const { head, leaders, distribution } = readMetricPage(ctx, 'yield');
    const query = LeadersQuery.parse({ metric: 'yield', tool: 'claude-code' });
    const { metrics, ...same } = readMetricLeaders(ctx, query);

    expect(head).toEqual(same);
    expect(leaders).toEqual(metrics[0]);
    expect([leaders.total, leaders.entries.length, distribution?.total]).toEqual([12, 10, 12]);
    expect(distribution?.quartiles[1]).toBe(leaders.median);
  });

  test.each([0, 4])('has no distribution for %i ranked operators', (operators) => {
    const ctx = aBoard(operators);
    for (const metric of METRIC_NAMES) {
      const { leaders, distribution } = readMetricPage(ctx, metric);
      expect([leaders.total, leaders.median, distribution]).toEqual([operators, null, null]);
    }
  });

  test('exists for an empty board', () => {
    const ctx = testContext();
    publish(ctx);
    const { head, leaders, spread } = readMetricsPage(ctx);
    expect([head.tool, spread]).toEqual([null, null]);
    expect(leaders.map(({ metric, total }) => [metric, total])).toEqual(
      METRIC_NAMES.map((metric) => [metric, 0]),
    );
  });
});

describe('readMetricsPage()', () => {
  test('uses the tool with the most ranked operators, and shows the distribution of those ranked by yield', () => {
    const ctx = testContext();
    for (let at = 0; at < 10; at += 1) {
      anActive(ctx, `codex-${at}`, tenDays({ tool: 'codex', output: 10_000 + at }));
      if (at < 2) anActive(ctx, `claude-${at}`, tenDays({ output: 20_000 + at }));
    }
    anActive(ctx, 'new', bucketsOfDays(1, '2026-03-09', { tool: 'codex' }));
    publish(ctx);

    const { head, leaders, spread } = readMetricsPage(ctx);
    expect(head).toMatchObject({ window: '30d', tool: 'codex', trust: 'signed' });
    expect(leaders.map(({ total }) => total).slice(0, 3)).toEqual([10, 10, 10]);
    expect(spread?.points.reduce((sum, { count }) => sum + count, 0)).toBe(10);
  });
});
