import { describe, expect, test, vi } from 'vitest';
import type { PrivacyMode } from '#core/schema/record.ts';
import { readMe } from '#server/board/me.ts';
import { changeVisibility } from '#server/operator/visibility.ts';
import { bucketsOfDays } from '#tests/support/board/builders.ts';
import { anActive, tenDays } from '#tests/support/board/boards.ts';
import { type TestContext, publish, testContext } from '#tests/support/board/context.ts';

/** Ada's own standing, on a board where she ranks above bob unless she is private. */
function toldIn(privacy_mode: PrivacyMode) {
  const ctx = testContext();
  anActive(ctx, 'ada', tenDays({ output: 20_000 }));
  anActive(ctx, 'ada', [...bucketsOfDays(9, '2026-03-01', { tool: 'by-hand' })], 'self_reported');
  anActive(ctx, 'bob', tenDays());
  const caller = { operator_id: idOf(ctx, 'ada'), device_id: null };
  const before = readMe(publishedOf(ctx), caller).standings;
  ctx.store.transaction(() => changeVisibility(ctx, caller.operator_id, { privacy_mode }));
  const after = readMe(publishedOf(ctx), caller).standings;
  return { before, after };
}

function idOf(ctx: TestContext, codename: string): number {
  return ctx.store.operators.byCodename(codename)?.id ?? 0;
}

function publishedOf(ctx: TestContext): TestContext {
  publish(ctx);
  return ctx;
}

describe('the own standing', () => {
  test("is the alias's standing while anonymous", () => {
    const { before, after } = toldIn('anonymous');

    expect(before.map(({ rank }) => rank)).toContain(1);
    expect(after).toEqual(before);
  });

  test('has the same values but no rank while private, and says why', () => {
    const { before, after } = toldIn('private');

    const own = expect.objectContaining({
      code: 'private',
      required: null,
      actual: null,
    }) as unknown;
    const alone = before.map((standing) => ({
      ...standing,
      rank: null,
      rank_range: null,
      movement: null,
      total: standing.window === '7d' || standing.window === '30d' ? 1 : 0,
      reasons: [own, ...standing.reasons],
    }));
    expect(after).toEqual(alone);
    expect(after).toHaveLength(4);
  });

  test('is computed once while private, until the counts change', () => {
    const ctx = testContext();
    anActive(ctx, 'ada', tenDays());
    const caller = { operator_id: idOf(ctx, 'ada'), device_id: null };
    ctx.store.transaction(() => {
      changeVisibility(ctx, caller.operator_id, { privacy_mode: 'private' });
    });
    publish(ctx);
    const read = vi.spyOn(ctx.store.records, 'signedByTool');

    const first = readMe(ctx, caller).standings;
    expect(readMe(ctx, caller).standings).toEqual(first);
    expect(read).toHaveBeenCalledTimes(1);

    anActive(ctx, 'ada', bucketsOfDays(1, '2026-02-01'));
    readMe(ctx, caller);
    expect(read).toHaveBeenCalledTimes(2);
  });
});
