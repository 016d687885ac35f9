import { expect, test } from 'vitest';
import type { FactsIndex } from '#server/facts/facts-index.ts';
import type { WorkingCopy } from '#server/facts/working-copy.ts';
import { FactsFolder, readerContext } from '#tests/support/board/facts.ts';
import type { TestContext } from '#tests/support/board/context.ts';
import { aStart, publishOnce } from '#tests/support/history/implementation.ts';
import { expectSame } from '#tests/support/history/expect-same.ts';
import {
  answerOf,
  boardViews,
  comparisonOf,
  operatorViews,
} from '#tests/support/history/public-views.ts';
import { RandomHistory } from '#tests/support/history/random-history.ts';

test.each([11, 13])('the working copy answers like the board (seed %i)', async (seed) => {
  const history = new RandomHistory(seed);
  const { ctx } = history;
  await history.begin();
  let state = aStart(ctx.ruleset);
  const folder = new FactsFolder();
  const copy = folder.copy(ctx);
  for (let step = 1; step <= 14; step += 1) {
    if (step > 1) await history.step();
    if (state.ruleset !== ctx.ruleset) state = aStart(ctx.ruleset);
    const publication = publishOnce(ctx.store, state, ctx.clock.nowMs);
    ctx.publications = { ...ctx.publications, current: () => publication, byId: () => publication };
    ctx.announcements.reload();
    await folder.export(ctx);
    await expectSameAsAll(folder, ctx);
    await copy.use(folder.index as FactsIndex);
    if (state.last) await expectSameViews(ctx, readerContext(ctx, copy, state.last), copy, history);
  }
});

/** Compares what was planned step by step with a whole export. */
async function expectSameAsAll(folder: FactsFolder, ctx: TestContext): Promise<void> {
  const whole = new FactsFolder();
  await whole.export(ctx);
  expectSame('objects', folder.named(), whole.named());
  expect(folder.objects.size).toBe(whole.objects.size);
}

async function expectSameViews(
  ctx: TestContext,
  reader: TestContext,
  copy: WorkingCopy,
  { steps }: RandomHistory,
): Promise<void> {
  const names = ctx.store.operators.all().map(({ codename }) => codename);
  const views = [
    ...boardViews(ctx),
    ...names.flatMap((name) => operatorViews(ctx, name)),
    comparisonOf(names.slice(0, 3)),
  ];
  for (const [name, view] of views) {
    const expected = await answerOf(view, ctx);
    const actual = await copy.complete(() => answerOf(view, reader));
    expectSame(`${name} after ${steps.join('\n')}`, actual, expected);
  }
}
