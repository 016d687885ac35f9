import { describe, expect, test } from 'vitest';
import { Leaderboard, LeaderboardQuery } from '#core/contract/leaderboard.ts';
import { readLeaderboard } from '#server/board/leaderboard.ts';
import { aBoard, anActive, tenDays } from '#tests/support/board/boards.ts';
import { bucketsOfDays } from '#tests/support/board/builders.ts';
import { type TestContext, publish, testContext } from '#tests/support/board/context.ts';
import { refusal } from '#tests/support/http/refusal.ts';

const read = (ctx: TestContext, query: Record<string, string> = {}) =>
  readLeaderboard(ctx, LeaderboardQuery.parse(query));

const ranksIn = (page: Leaderboard) => page.entries.map(({ codename, rank }) => [codename, rank]);

describe('readLeaderboard()', () => {
  test('matches the contract', () => {
    const page = read(aBoard(3));

    expect(Leaderboard.parse(page)).toEqual(page);
    expect(page).toMatchObject({
      ruleset: '2',
      window: '30d',
      metric: 'yield',
      as_of: '2026-03-10',
      log_index: 6,
      tool: null,
      trust: 'signed',
      tools: ['claude-code'],
      total: 3,
      next_cursor: null,
    });
    expect(ranksIn(page)).toEqual([
      ['op-2', 1],
      ['op-0', 2],
      ['op-1', 2],
    ]);
    expect(page).not.toHaveProperty('unranked');
  });

  test('adds unranked operators and the reasons on request', () => {
    const { unranked, unranked_total } = read(aBoard(1), { include: 'unranked' });

    expect(unranked_total).toBe(1);
    expect(unranked).toMatchObject([
      {
        codename: 'unranked',
        reasons: [
          { code: 'active_days_low', required: 7, actual: 1, detail: '1 of 7 active days' },
          { code: 'effective_days_low', required: 3, actual: 1 },
          { code: 'output_low', required: 50_000, actual: 10_000 },
        ],
      },
    ]);
  });

  test('throws service_unavailable before the first publication', () => {
    expect(() => read(testContext())).toThrow(refusal('service_unavailable'));
  });
});

describe('readLeaderboard() by tool and trust', () => {
  /** Ada uses two tools, Bob uses one and self-reports another, and Cat self-reports everything. */
  function aMixedBoard(): TestContext {
    const ctx = testContext();
    const codex = { tool: 'codex', provider: 'openai', model: 'gpt-5' };
    anActive(ctx, 'ada', [
      ...tenDays({ output: 10_000 }),
      ...tenDays({ ...codex, output: 90_000 }),
    ]);
    anActive(ctx, 'bob', tenDays({ output: 20_000 }));
    anActive(ctx, 'bob', tenDays({ ...codex, output: 8_000 }), 'self_reported');
    anActive(ctx, 'cat', tenDays({ output: 70_000 }), 'self_reported');
    publish(ctx);
    return ctx;
  }

  test('counts one tool only, and ranks by it', () => {
    const ctx = aMixedBoard();

    const ofTool = read(ctx, { tool: 'claude-code' });

    expect(ranksIn(read(ctx))).toEqual([
      ['ada', 1],
      ['bob', 2],
    ]);
    expect(ranksIn(ofTool)).toEqual([
      ['bob', 1],
      ['ada', 2],
    ]);
    expect(ofTool).toMatchObject({ tool: 'claude-code', total: 2 });
    expect(ofTool.entries[1]).toMatchObject({
      totals: { output: 100_000 },
      tools: ['claude-code'],
    });
  });

  test('counts self-reported tokens only with trust=all, and marks each row', () => {
    const ctx = aMixedBoard();

    const all = read(ctx, { trust: 'all' });
    const ofTool = read(ctx, { trust: 'all', tool: 'claude-code' });

    expect(read(ctx).entries.map(({ trust }) => trust)).toEqual(['signed', 'signed']);
    expect(all.entries.map(({ codename, trust }) => [codename, trust])).toEqual([
      ['cat', 'self_reported'],
      ['ada', 'signed'],
      ['bob', 'mixed'],
    ]);
    expect(all.entries[2]).toMatchObject({
      totals: { output: 280_000 },
      tools: ['claude-code', 'codex'],
    });
    expect(ofTool.entries.map(({ codename, trust }) => [codename, trust])).toEqual([
      ['cat', 'self_reported'],
      ['bob', 'signed'],
      ['ada', 'signed'],
    ]);
  });

  test('is the same board for both if all counts are signed', () => {
    const ctx = aBoard(3);

    expect(read(ctx, { trust: 'all' })).toEqual({ ...read(ctx), trust: 'all' });
  });

  test('lists the tools of at least two operators, most operators first, then by name', () => {
    const ctx = testContext();
    const tools = [['zed', 'codex'], ['zed', 'codex', 'aider'], ['zed', 'aider'], ['own']];
    for (const [at, names] of tools.entries()) {
      anActive(
        ctx,
        `op-${at}`,
        names.flatMap((tool) => bucketsOfDays(1, '2024-03-09', { tool })),
      );
    }
    publish(ctx);

    expect(read(ctx).tools).toEqual(['zed', 'aider', 'codex']);
  });

  test('has boards for the fifty tools with the most operators', () => {
    const ctx = testContext();
    const named = (at: number) => `tool-${String(at).padStart(2, '0')}`;
    const buckets = (count: number) =>
      Array.from({ length: count }, (_, at) =>
        bucketsOfDays(1, '2026-03-09', { tool: named(at) }),
      ).flat();
    for (const [at, count] of [50, 49, 50].entries()) {
      anActive(ctx, `op-${at}`, buckets(count));
    }
    anActive(ctx, 'op-3', bucketsOfDays(1, '2026-03-09', { tool: 'one-more' }));
    anActive(ctx, 'op-4', bucketsOfDays(1, '2026-03-09', { tool: 'one-more' }));
    anActive(ctx, 'op-5', bucketsOfDays(1, '2026-03-09', { tool: 'one-more' }));
    publish(ctx);

    const { tools } = read(ctx);

    expect(tools).toHaveLength(50);
    expect(tools[0]).toBe('one-more');
    expect(tools).not.toContain(named(49));
  });

  test.each(['own', 'CODEX', 'nobody'])(
    'rejects the tool %s, and names the available ones',
    (tool) => {
      const ctx = aMixedBoard();
      const ask = () => read(ctx, { tool });

      expect(ask).toThrow(refusal('query_invalid', '#/tool'));
      expect(ask).toThrow('tool: must be one of: claude-code, codex');
    },
  );

  test('says if no tool has a board', () => {
    const ctx = testContext();
    publish(ctx);

    expect(() => read(ctx, { tool: 'codex' })).toThrow('tool: no tool has a board yet');
  });
});

describe('readLeaderboard() by name', () => {
  test('finds rows with unchanged ranks', () => {
    const ctx = aBoard(13);

    const page = read(ctx, { q: 'OP-1', include: 'unranked' });

    expect(page.total).toBe(4);
    expect(ranksIn(page)).toEqual([
      ['op-12', 1],
      ['op-10', 2],
      ['op-11', 2],
      ['op-1', 12],
    ]);
    expect(page).toMatchObject({ unranked_total: 0, unranked: [] });
    expect(read(ctx, { q: 'rank', include: 'unranked' })).toMatchObject({
      total: 0,
      unranked_total: 1,
    });
  });

  test.each(['%', '_', '.', '\n', 'op-0\nop', 'ada'])('treats %j literally', (q) => {
    expect(read(aBoard(2), { q }).total).toBe(0);
  });
});
