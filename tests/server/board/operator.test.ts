import { describe, expect, test } from 'vitest';
import { LeaderboardQuery } from '#core/contract/leaderboard.ts';
import { OperatorDetail, OperatorQuery } from '#core/contract/operators.ts';
import { METRIC_NAMES } from '#core/domain/metrics/metrics.ts';
import { readLeaderboard } from '#server/board/leaderboard.ts';
import { readOperator } from '#server/board/operator.ts';
import { anActive, tenDays } from '#tests/support/board/boards.ts';
import { aBucket, bucketsOfDays } from '#tests/support/board/builders.ts';
import {
  type TestContext,
  anEnrolledDevice,
  anOperator,
  publish,
  submit,
  testContext,
} from '#tests/support/board/context.ts';
import { refusal } from '#tests/support/http/refusal.ts';

const read = (ctx: TestContext, codename: string, query: Record<string, string> = {}) =>
  readOperator(ctx, codename, OperatorQuery.parse(query));

const CODEX = { tool: 'codex', provider: 'openai', model: 'gpt-5', cache_write: null };

/** The given number of operators with equal volume and different yield, `op-00` the best. */
function aField(operators: number): TestContext {
  const ctx = testContext();
  for (let at = 0; at < operators; at += 1) {
    anActive(ctx, `op-${String(at).padStart(2, '0')}`, tenDays({ output: 50_000 - at }));
  }
  publish(ctx);
  return ctx;
}

describe('readOperator()', () => {
  test('matches the contract', async () => {
    const ctx = testContext();
    const device = await anEnrolledDevice(ctx, 'ada');
    await anEnrolledDevice(ctx, 'ada');
    await submit(ctx, device, [
      ...tenDays(),
      ...tenDays(CODEX),
      aBucket({ model: 'haiku', input: 1 }),
    ]);
    anActive(ctx, 'bob', [aBucket(CODEX), aBucket()]);
    publish(ctx);

    const operator = read(ctx, 'ada');

    expect(OperatorDetail.parse(operator)).toEqual(operator);
    expect(operator).toMatchObject({
      window: '30d',
      as_of: '2026-03-10',
      tool: null,
      trust: 'signed',
      tools: ['claude-code', 'codex'],
      codename: 'ada',
      display_name: null,
      devices: 2,
    });
    expect(operator.standing).toMatchObject({
      trust: 'signed',
      totals: { input: 22_001, output: 210_000, cache_write: 1_100_000, cache_read: 21_000_000 },
      cascade: { transmission: 9.99909099173, commitment: 10, reuse: 10 },
      shape: { input: 0.00098517817548 },
      last_active: '2026-03-10',
    });
    expect(operator.standing?.tools?.map(({ tool, totals }) => [tool, totals.total])).toEqual([
      ['claude-code', 12_221_001],
      ['codex', 10_111_000],
    ]);
    expect(operator.standing?.models?.map(({ model }) => model)).toEqual([
      'claude-opus-5',
      'gpt-5',
      'haiku',
    ]);
  });

  test("has the leaderboard's values for each metric", () => {
    const ctx = aField(21);
    const { standing } = read(ctx, 'op-07');

    const rows = METRIC_NAMES.map((metric) => {
      const board = readLeaderboard(ctx, LeaderboardQuery.parse({ metric }));
      const row = board.entries.find(({ codename }) => codename === 'op-07');
      return [
        metric,
        row?.rank,
        row?.metrics[metric],
        row?.coverage,
        row?.active_days,
        board.total,
      ];
    });

    expect(
      METRIC_NAMES.map((metric) => {
        const { rank, value, coverage, active_days, total } = standing?.metrics[metric] ?? {};
        return [metric, rank, value, coverage, active_days, total];
      }),
    ).toEqual(rows);
  });

  test('has a percentile from 20 ranked operators', () => {
    const percentile = (operators: number, codename: string) =>
      read(aField(operators), codename).standing?.metrics.yield.percentile;

    expect(percentile(19, 'op-00')).toBeNull();
    expect(percentile(20, 'op-00')).toBe(0.95);
    expect(percentile(20, 'op-19')).toBe(0);
  });

  test('returns the reasons for a missing rank', () => {
    const ctx = aField(20);
    anActive(ctx, 'new', bucketsOfDays(2, '2026-03-09', { cache_read: null }));
    publish(ctx);

    const { standing } = read(ctx, 'new');

    expect(standing?.metrics.velocity).toMatchObject({
      value: 9.09090909091,
      rank: null,
      percentile: null,
      coverage: 1,
      active_days: 2,
    });
    expect(standing?.metrics.velocity.reasons?.map(({ code }) => code)).toEqual([
      'active_days_low',
      'effective_days_low',
      'total_low',
      'output_low',
    ]);
    expect(standing?.metrics.yield.reasons?.map(({ code }) => code)).toContain('metric_undefined');
    expect(standing?.cascade).toEqual({ transmission: null, commitment: null, reuse: null });
  });

  test('counts one tool, or self-reported tokens, on request', () => {
    const ctx = testContext();
    anActive(ctx, 'ada', tenDays());
    anActive(ctx, 'ada', tenDays(CODEX), 'self_reported');
    anActive(ctx, 'bob', tenDays(CODEX), 'self_reported');
    anActive(ctx, 'bob', [aBucket()], 'self_reported');
    publish(ctx);
    const brief = (query: Record<string, string>) => {
      const { standing } = read(ctx, 'ada', query);
      return standing && [standing.trust, standing.totals?.total, standing.tools?.length];
    };

    expect(brief({})).toEqual(['signed', 11_111_000, 1]);
    expect(brief({ trust: 'all' })).toEqual(['mixed', 21_222_000, 2]);
    expect(brief({ trust: 'all', tool: 'codex' })).toEqual(['self_reported', 10_111_000, 1]);
    expect(brief({ tool: 'codex' })).toBeNull();
    expect(read(ctx, 'bob').standing).toBeNull();
  });

  test('has no standing in a window without tokens', () => {
    const ctx = testContext();
    anActive(ctx, 'ada', bucketsOfDays(20, '2025-03-01'));
    publish(ctx);

    expect(read(ctx, 'ada', { window: '90d' }).standing).toBeNull();
    expect(read(ctx, 'ada', { window: 'all_time' }).standing?.metrics.yield.rank).toBe(1);
  });

  test('throws not_found for operators without counted tokens', () => {
    const ctx = aField(1);
    anOperator(ctx, 'silent');
    publish(ctx);

    expect(() => read(ctx, 'silent')).toThrow(refusal('not_found'));
    expect(() => read(ctx, 'nobody')).toThrow('No operator nobody was found');
    expect(() => read(ctx, 'op-00', { tool: 'zed' })).toThrow(refusal('query_invalid', '#/tool'));
  });
});
