import { describe, expect, test } from 'vitest';
import { DEFAULT_SLICE } from '#core/domain/board/slices.ts';
import { setDataOptOut } from '#server/operator/set-data-opt-out.ts';
import { currentPublication } from '#server/publication/read/current-publication.ts';
import { anActive, tenDays } from '#tests/support/board/boards.ts';
import { type TestContext, publish, testContext } from '#tests/support/board/context.ts';

/** Operators with yields of 100, 200 and so on, and equal cache reads. */
function aField(operators: number): TestContext {
  const ctx = testContext();
  for (let at = 1; at <= operators; at += 1) {
    anActive(ctx, `op-${at}`, tenDays({ input: 10_000, output: 10_000 * at, cache_read: 1e6 }));
  }
  publish(ctx);
  return ctx;
}

const boardOf = (ctx: TestContext, tool: string | null = null) =>
  currentPublication(ctx).window('30d', { ...DEFAULT_SLICE, tool });

describe('distribution()', () => {
  test('contains operators ranked by the metric, around their median', () => {
    const board = boardOf(aField(7));
    const distribution = board.distribution('yield');
    expect(distribution).toMatchObject({ total: 7, zeros: 0, quartiles: [250, 400, 550] });
    expect(distribution?.quartiles[1]).toBe(board.medians('yield').median);
    expect(board.distribution('leverage')?.quartiles).toEqual([100, 100, 100]);
    expect(board.distribution('yield')).toBe(distribution);
  });

  test('leaves out operators who opted out, and is null with fewer than five', async () => {
    const ctx = aField(6);
    const { id = 0 } = ctx.store.operators.byCodename('op-6') ?? {};
    await setDataOptOut(ctx, id, { opt_out: true });
    expect(boardOf(ctx).total('yield')).toBe(6);
    expect(boardOf(ctx).distribution('yield')).toMatchObject({
      total: 5,
      quartiles: [200, 300, 400],
    });
    expect(boardOf(ctx).spread()?.total).toBe(5);

    const { id: other = 0 } = ctx.store.operators.byCodename('op-1') ?? {};
    await setDataOptOut(ctx, other, { opt_out: true });
    expect(boardOf(ctx).distribution('yield')).toBeNull();
    expect(boardOf(ctx).spread()).toBeNull();
  });

  test('contains the operators of the board', () => {
    const ctx = aField(6);
    const { operators } = currentPublication(ctx);
    const chosen = Uint8Array.from({ length: operators.length }, (_, at) => (at === 0 ? 0 : 1));
    expect(boardOf(ctx).of(chosen).distribution('yield')?.total).toBe(5);
    expect(boardOf(ctx, 'claude-code').distribution('yield')?.total).toBe(6);
  });
});

describe('spread()', () => {
  test('has leverage and velocity of operators ranked by yield', () => {
    const spread = boardOf(aField(5)).spread();
    expect(spread?.medians).toEqual({ leverage: 100, velocity: 3 });
    expect(spread?.points.map(({ leverage, velocity }) => [leverage, velocity])).toEqual([
      [100, 1],
      [100, 2],
      [100, 3],
      [100, 4],
      [100, 5],
    ]);
  });

  test('takes both from the same operator, and nothing from operators without a yield', () => {
    const ctx = testContext();
    const pairs = [
      [100, 5],
      [200, 3],
      [300, 4],
      [400, 1],
      [500, 2],
    ] as const;
    for (const [leverage, velocity] of pairs) {
      const counts = { input: 10_000, output: 10_000 * velocity, cache_read: 10_000 * leverage };
      anActive(ctx, `op-${leverage}`, tenDays(counts));
    }
    for (const name of ['unread-1', 'unread-2']) {
      anActive(ctx, name, tenDays({ input: 1e5, output: 9e5, cache_read: null }));
    }
    publish(ctx);
    const board = boardOf(ctx);

    expect([board.total('yield'), board.total('velocity')]).toEqual([5, 7]);
    expect(board.spread()).toMatchObject({
      total: 5,
      medians: { leverage: 300, velocity: 3 },
      points: pairs.map(([leverage, velocity]) => ({ leverage, velocity, count: 1 })),
    });
  });
});
