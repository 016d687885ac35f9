import { describe, expect, test } from 'vitest';
import { RULESET_NUMBERS, rulesetOf } from '#core/domain/board/ruleset.ts';
import { METRIC_NAMES } from '#core/domain/metrics/metrics.ts';
import type { WindowName } from '#core/schema/board.ts';
import { readMe, readyMe } from '#server/board/me.ts';
import { readYourRank, readyYourRank, yourBoardQuery } from '#server/board/your-rank.ts';
import { changeVisibility } from '#server/operator/visibility.ts';
import { sha256Hex } from '#server/process/crypto.ts';
import { Projection } from '#server/publication/projection.ts';
import { publish as publishAt } from '#server/publication/publish.ts';
import { decideSubmission } from '#server/submission/decide-submission.ts';
import { restoreSubmission, withdrawSubmission } from '#server/submission/withdraw-submission.ts';
import { anActive, tenDays } from '#tests/support/board/boards.ts';
import { DAY_MS, aBucket, bucketsOfDays } from '#tests/support/board/builders.ts';
import {
  type TestContext,
  anEnrolledDevice,
  publicationIn,
  publishAndKeep,
  rankBy,
  submit,
  submitStating,
  testContext,
} from '#tests/support/board/context.ts';
import { exportOf, verify } from '#tests/support/board/public-log.ts';
import { revoke } from '#tests/support/board/replacing.ts';

const CALLER = { operator_id: 1, device_id: null };

/** Eight of the ten days up to 10 March. */
const DAYS = [...bucketsOfDays(4, '2026-03-01'), ...bucketsOfDays(4, '2026-03-07')];
const GAP = { from: '2026-03-05', to: '2026-03-06' };
const LOW = {
  code: 'stated_days_low',
  required: 0.9,
  actual: 0.8,
  detail: '80% of days stated, 90% needed: update opbench and run it daily',
};

/** A board that requires 90% of the days, with an operator who has not stated two of ten days. */
async function aScene() {
  const ctx = testContext();
  rankBy(ctx, rulesetOf(1, { ...RULESET_NUMBERS, stated_days: 0.9 }, sha256Hex));
  const device = await anEnrolledDevice(ctx, 'ada');
  await submit(ctx, device, DAYS);
  return { ctx, device };
}

/** Another device states the two days, next to a count of its own. */
async function withGapStated() {
  const { ctx } = await aScene();
  const device = await anEnrolledDevice(ctx, 'ada');
  const own = [aBucket({ day: '2026-03-07', model: 'claude-haiku-5' })];
  const { answer } = await submitStating(ctx, device, GAP, own);
  return { ctx, device, id: answer.id };
}

/** What ada lacks for a rank by yield, on a board that the log confirms. */
function reasonsOf(ctx: TestContext, window: WindowName = '30d') {
  const publication = publishAndKeep(ctx);
  const { findings, boards } = verify(exportOf(ctx));
  expect(findings).toEqual([]);
  expect(boards.at(-1)).toMatchObject({ extent: 'fully', is_sound: true });
  const found = publication.window(window).find('yield', 'ada');
  return found && 'reasons' in found ? found.reasons : [];
}

describe('a minimum of stated days', () => {
  test('is not met by an operator with gaps, on any board of any metric', async () => {
    const { ctx } = await aScene();

    expect(reasonsOf(ctx)).toEqual([LOW]);
    const board = publishAndKeep(ctx).window('30d');
    for (const metric of METRIC_NAMES) {
      expect(board.find(metric, 'ada')).toMatchObject({ reasons: [LOW] });
    }
  });

  test('is met if any device states the days in between', async () => {
    const { ctx } = await withGapStated();

    expect(reasonsOf(ctx)).toEqual([]);
  });

  test('is not met while the submission that states the days does not count', async () => {
    const { ctx, device, id } = await withGapStated();
    const decide = (kind: 'hold' | 'release') =>
      decideSubmission(ctx, { kind, id, reason: 'A test' });

    decide('hold');
    expect(reasonsOf(ctx)).toEqual([LOW]);
    decide('release');
    expect(reasonsOf(ctx)).toEqual([]);
    await withdrawSubmission(ctx, CALLER, id);
    expect(reasonsOf(ctx)).toEqual([LOW]);
    await restoreSubmission(ctx, CALLER, id);
    expect(reasonsOf(ctx)).toEqual([]);
    revoke(ctx, device, 'compromised');
    expect(reasonsOf(ctx)).toEqual([LOW]);
  });

  test('counts the days before the window only as the beginning', async () => {
    const { ctx, device } = await aScene();
    await submit(ctx, device, [aBucket({ day: '2026-01-01' })]);

    expect(reasonsOf(ctx, '30d')).toMatchObject([{ code: 'stated_days_low', actual: 8 / 30 }]);
    expect(reasonsOf(ctx, '7d')).toMatchObject([{ code: 'stated_days_low', actual: 5 / 7 }]);
  });

  test('follows the window on days without new counts', async () => {
    const { ctx } = await aScene();
    const projection = new Projection(ctx.ruleset);
    const shares = [0, 1, 2].map((days) => {
      const data = publishAt(ctx.store, projection, ctx.clock.nowMs + days * DAY_MS);
      const found = publicationIn(ctx, data).window('7d').find('yield', 'ada');
      return found && 'reasons' in found ? found.reasons.at(-1)?.actual : null;
    });

    // Only days of the gap leave the window.
    expect(shares).toEqual([5 / 7, 4 / 6, 4 / 5]);
  });

  test('excludes self-reported counts, which state no days', async () => {
    const { ctx } = await aScene();
    anActive(ctx, 'eve', tenDays(), 'self_reported');

    const board = publishAndKeep(ctx).window('30d', { tool: null, trust: 'all' });
    expect(board.find('yield', 'ada')).toMatchObject({ reasons: [LOW] });
    expect(board.find('yield', 'eve')).toMatchObject({
      reasons: [{ code: 'stated_days_low', actual: 0 }],
    });
  });

  test('applies to records, also of earlier windows', async () => {
    const { ctx, device } = await aScene();
    publishAndKeep(ctx);
    const better = bucketsOfDays(9, '2026-02-08', { output: 90_000 });
    await submit(ctx, device, [aBucket({ day: '2026-02-05' }), ...better]);
    expect(publishAndKeep(ctx).records.of('yield')).toEqual([]);

    const since = { from: '2026-02-06', to: '2026-02-16' };
    await submitStating(ctx, device, since, [aBucket({ day: '2026-02-16', output: 90_001 })]);
    expect(publishAndKeep(ctx).records.of('yield')).toMatchObject([
      { codename: 'ada', last_day: '2026-02-16' },
    ]);
  });

  test('is shown to private operators, too', async () => {
    for (const [scene, missing] of [
      [await aScene(), [LOW]],
      [await withGapStated(), []],
    ] as const) {
      const { ctx } = scene;
      ctx.store.transaction(() => changeVisibility(ctx, 1, { privacy_mode: 'private' }));
      publishAndKeep(ctx);
      await readyMe(ctx, CALLER);
      const query = yourBoardQuery(ctx, new URLSearchParams('window=30d&metric=yield'));
      if (!query) throw new Error('There is no such board');
      await readyYourRank(ctx, 1, query);

      const reasons = [expect.objectContaining({ code: 'private' }), ...missing];
      const { standings } = readMe(ctx, CALLER);
      expect(standings.find(({ window }) => window === '30d')?.reasons).toEqual(reasons);
      expect(readYourRank(ctx, 1, query).standing?.reasons).toEqual(reasons);
    }
  });
});
