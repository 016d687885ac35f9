import { describe, expect, test } from 'vitest';
import { OperatorQuery } from '#core/contract/operators.ts';
import { comparisonViewOf } from '#core/domain/board/comparison.ts';
import { findComparison, readComparisonCard } from '#server/board/comparison.ts';
import { readOperator } from '#server/board/operator.ts';
import { anActive, tenDays } from '#tests/support/board/boards.ts';
import { DAY_MS, NOW_MS, bucketsOfDays } from '#tests/support/board/builders.ts';
import {
  type TestContext,
  anOperator,
  execute,
  publish,
  testContext,
} from '#tests/support/board/context.ts';

const CODEX = { tool: 'codex', provider: 'openai', model: 'gpt-5', cache_write: null };

const viewOf = (query: string) => comparisonViewOf(new URLSearchParams(query));
const find = (ctx: TestContext, query: string) => findComparison(ctx, viewOf(query));

/** A board of five operators: ada has the highest yield and two tools, and bob has self-reports. */
function aScene(): TestContext {
  const ctx = testContext();
  anActive(ctx, 'ada', [...tenDays({ output: 90_000 }), ...bucketsOfDays(3, '2026-03-05', CODEX)]);
  anActive(ctx, 'bob', tenDays());
  anActive(ctx, 'bob', bucketsOfDays(2, '2026-03-01'), 'self_reported');
  anActive(ctx, 'cay', tenDays(CODEX));
  for (const name of ['dan', 'eve']) anActive(ctx, name, tenDays({ output: 20_000 }));
  publish(ctx);
  return ctx;
}

async function sheetOf(ctx: TestContext, query: string) {
  const found = await find(ctx, query);
  if (found.kind !== 'shown') throw new Error(`No comparison: ${found.kind}`);
  return found.sheet;
}

function rename(ctx: TestContext, from: string, to: string): void {
  const { id } = ctx.store.operators.byCodename(to) ?? { id: 0 };
  const until = new Date(NOW_MS + DAY_MS).toISOString();
  ctx.store.codenames.addFormer({ codename: from, operator_id: id, until });
}

describe('findComparison()', () => {
  test("shows the API's data, the highest conservative yield first", async () => {
    const ctx = aScene();
    const { operators } = await sheetOf(ctx, 'with=ada,bob,dan');

    expect(operators[0]?.codename).toBe('ada');
    const lows = operators.map(({ standing }) => standing?.metrics.yield.interval?.[0] ?? 0);
    expect(lows).toEqual([...lows].sort((a, b) => b - a));
    for (const { codename, standing, class_tier, history } of operators) {
      const own = readOperator(ctx, codename, OperatorQuery.parse({}));
      expect({ standing, class_tier }).toEqual({
        standing: own.standing,
        class_tier: own.class_tier,
      });
      expect(history.points.some(({ total }) => total > 0)).toBe(true);
    }
  });

  test('takes window, tool and trust, and offers what any of them has', async () => {
    const ctx = aScene();
    const sheet = await sheetOf(ctx, 'with=ada,bob&tool=codex&window=90d&trust=all');

    expect([sheet.tools, sheet.has_unsigned]).toEqual([['claude-code', 'codex'], true]);
    expect(sheet.operators.map(({ codename, standing }) => [codename, standing === null])).toEqual([
      ['ada', false],
      ['bob', true],
    ]);
    expect((await sheetOf(ctx, 'with=dan,eve')).has_unsigned).toBe(false);
  });

  test('says what is wrong with the names', async () => {
    const ctx = aScene();

    expect(await find(ctx, '')).toEqual({ kind: 'too_few' });
    expect(await find(ctx, 'with=ada,ADA')).toEqual({ kind: 'too_few' });
    expect(await find(ctx, 'with=ada,bob,cay,dan,eve')).toEqual({ kind: 'too_many' });
    expect(await find(ctx, 'with=ada,bob&tool=nothing')).toEqual({ kind: 'no_board' });
    rename(ctx, 'old-cay', 'cay');
    expect(await find(ctx, 'with=old-cay,ada')).toEqual({ kind: 'renamed', names: ['ada', 'cay'] });
    expect(await find(ctx, 'with=old-cay,cay')).toEqual({ kind: 'renamed', names: ['cay'] });
  });

  test('does not tell operators without a page apart from names that nobody has', async () => {
    const ctx = aScene();
    anOperator(ctx, 'fresh');
    execute(ctx, `UPDATE operators SET is_open = 0 WHERE codename = 'dan'`);

    for (const name of ['nobody', 'fresh', 'dan', '..', 'x'.repeat(100), 'anonymous-0123456789']) {
      expect(await find(ctx, `with=ada,bob,${name}`)).toEqual({
        kind: 'no_page',
        missing: [name],
        found: ['ada', 'bob'],
      });
    }
  });
});

test('readComparisonCard() follows former codenames, and is null without a comparison', () => {
  const ctx = aScene();
  rename(ctx, 'old-cay', 'cay');
  const read = (query: string) => readComparisonCard(ctx, viewOf(query));

  expect(read('with=ada,old-cay')?.view.names).toEqual(['ada', 'cay']);
  expect(read('with=ada,old-cay&window=7d')?.view.window).toBe('7d');
  for (const query of ['with=ada', 'with=ada,nobody', 'with=ada,bob&tool=x', 'with=cay,old-cay']) {
    expect(read(query)).toBeNull();
  }
});
