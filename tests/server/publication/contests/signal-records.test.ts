import { describe, expect, test } from 'vitest';
import { withdrawSubmission } from '#server/submission/withdraw-submission.ts';
import { readHallOfSignal } from '#server/board/metric-page.ts';
import { readMe } from '#server/board/me.ts';
import { readOperator } from '#server/board/operator.ts';
import { changeVisibility } from '#server/operator/visibility.ts';
import { RULESET, RULESET_2 } from '#core/domain/board/ruleset.ts';
import { OperatorQuery } from '#core/contract/operators.ts';
import type { MetricName } from '#core/schema/record.ts';
import { deleteOperator } from '#tests/support/board/boards.ts';
import { DAY_MS, type TestDevice, aBucket, bucketsOfDays } from '#tests/support/board/builders.ts';
import {
  type TestContext,
  anEnrolledDevice,
  publishAndKeep,
  query,
  rankBy,
  submit,
  testContext,
} from '#tests/support/board/context.ts';

/** The current and earlier holders of a record. */
function holders(ctx: TestContext, metric: MetricName = 'yield'): string[] {
  const { metrics } = readHallOfSignal(ctx);
  const { record, earlier } = metrics.find((one) => one.metric === metric) ?? { earlier: [] };
  return [...(record ? [record] : []), ...earlier].map(({ codename }) => codename);
}

const isYield = ({ metric }: { metric: MetricName }) => metric === 'yield';

function recordOf(ctx: TestContext) {
  const { record } = readHallOfSignal(ctx).metrics.find(isYield) ?? {};
  if (!record) throw new Error('There is no record');
  return record;
}

/** Ten equal days up to yesterday, with this much output. */
function tenDaysOf(output: number, first = '2026-02-28') {
  return bucketsOfDays(10, first, { output });
}

/** A board that was published before anyone joined. */
function aBoard(): TestContext {
  const ctx = testContext();
  publishAndKeep(ctx);
  return ctx;
}

async function anOperatorWith(ctx: TestContext, codename: string, output: number) {
  const device = await anEnrolledDevice(ctx, codename);
  const { answer } = await submit(ctx, device, tenDaysOf(output));
  return { device, submission: answer.id };
}

function callerOf(ctx: TestContext, codename: string) {
  const operator_id = ctx.store.operators.byCodename(codename)?.id ?? 0;
  return { operator_id, device_id: null } as Parameters<typeof withdrawSubmission>[1];
}

function seeAs(ctx: TestContext, codename: string, privacy_mode: 'anonymous' | 'private') {
  const { id } = ctx.store.operators.byCodename(codename) ?? { id: 0 };
  ctx.store.transaction(() => changeVisibility(ctx, id, { privacy_mode }));
}

describe('a record', () => {
  test('is compared with those of the same version of the ranking rules only', async () => {
    const ctx = testContext();
    rankBy(ctx, RULESET);
    publishAndKeep(ctx);
    await anOperatorWith(ctx, 'first', 20_000);
    publishAndKeep(ctx);
    const before = recordOf(ctx);

    rankBy(ctx, RULESET_2);
    publishAndKeep(ctx);
    await anOperatorWith(ctx, 'better', 30_000);
    publishAndKeep(ctx);

    const record = recordOf(ctx);
    const { earlier = [] } = readHallOfSignal(ctx).metrics.find(isYield) ?? {};
    expect([record, ...earlier].map(({ codename, ruleset }) => [codename, ruleset])).toEqual([
      ['better', '2'],
      ['first', '2'],
      ['first', '1'],
    ]);
    expect(record.value).toBeGreaterThan(record.interval[0]);
    expect(record.value).toBeLessThan(record.interval[1] ?? 0);
    expect(earlier.at(-1)).toEqual(before);
    expect(earlier[0]?.value).toBeLessThan(before.value);
  });

  test('is set in log order, by each operator above the one before', async () => {
    const ctx = aBoard();
    await anOperatorWith(ctx, 'first', 20_000);
    await anOperatorWith(ctx, 'lower', 15_000);
    const { submission } = await anOperatorWith(ctx, 'better', 30_000);
    publishAndKeep(ctx);

    expect(holders(ctx)).toEqual(['better', 'first']);
    expect(recordOf(ctx)).toEqual({
      codename: 'better',
      display_name: null,
      ruleset: '2',
      value: 7440.71406043,
      interval: [3335.29128974, 184305.374382],
      first_day: '2026-02-08',
      last_day: '2026-03-09',
      achieved_at: '2026-03-10T12:00:00.000Z',
      submission,
    });
    const detail = readOperator(ctx, 'better', OperatorQuery.parse({}));
    expect(detail.records_held).toEqual(['yield', 'velocity', 'snr']);
    expect(readMe(ctx, callerOf(ctx, 'better')).records_held).toEqual(detail.records_held);
    expect(readOperator(ctx, 'lower', OperatorQuery.parse({})).records_held).toEqual([]);
  });

  test('is kept over restarts and days, and not set again', async () => {
    const ctx = aBoard();
    await anOperatorWith(ctx, 'ada', 20_000);
    publishAndKeep(ctx);
    const before = query(ctx, 'SELECT * FROM signal_records');
    ctx.clock.nowMs += DAY_MS;
    publishAndKeep(ctx);

    expect(query(ctx, 'SELECT * FROM signal_records')).toEqual(before);
    expect(recordOf(ctx).last_day).toBe('2026-03-09');
  });

  test('remains after its days have left every window', async () => {
    const ctx = aBoard();
    const { device } = await anOperatorWith(ctx, 'ada', 20_000);
    publishAndKeep(ctx);
    ctx.clock.nowMs += 100 * DAY_MS;
    await submit(ctx, device, bucketsOfDays(10, '2026-06-05', { output: 500 }));
    publishAndKeep(ctx);

    expect(recordOf(ctx)).toMatchObject({ codename: 'ada', last_day: '2026-03-09' });
  });

  test("moves to the holder's own better days, and lists the holder once", async () => {
    const ctx = aBoard();
    const { device } = await anOperatorWith(ctx, 'ada', 20_000);
    await anOperatorWith(ctx, 'bob', 10_000);
    publishAndKeep(ctx);
    ctx.clock.nowMs += DAY_MS;
    await submit(ctx, device, tenDaysOf(30_000));
    publishAndKeep(ctx);

    expect(holders(ctx)).toEqual(['ada']);
    expect(recordOf(ctx).value).toBe(7440.71406043);
  });

  test('becomes void when its days no longer support it, and counts again when they do', async () => {
    const ctx = aBoard();
    await anOperatorWith(ctx, 'ada', 20_000);
    const { submission } = await anOperatorWith(ctx, 'cheat', 90_000);
    publishAndKeep(ctx);
    expect(holders(ctx)).toEqual(['cheat', 'ada']);

    await withdrawSubmission(ctx, callerOf(ctx, 'cheat'), submission);
    publishAndKeep(ctx);
    expect(holders(ctx)).toEqual(['ada']);

    const device = await anEnrolledDevice(ctx, 'cheat');
    ctx.clock.nowMs += 60 * DAY_MS;
    await submit(ctx, device, tenDaysOf(90_000));
    publishAndKeep(ctx);
    expect(holders(ctx)).toEqual(['cheat', 'ada']);
  });

  test('of a deleted or hidden operator is not shown, and the list closes', async () => {
    const ctx = aBoard();
    for (const [at, name] of ['ada', 'bob', 'eve', 'zoe'].entries()) {
      await anOperatorWith(ctx, name, 10_000 * (at + 1));
    }
    publishAndKeep(ctx);
    expect(holders(ctx)).toEqual(['zoe', 'eve', 'bob', 'ada']);

    seeAs(ctx, 'zoe', 'private');
    seeAs(ctx, 'eve', 'anonymous');
    deleteOperator(ctx, 'bob');
    publishAndKeep(ctx);

    expect(holders(ctx)).toEqual([expect.stringMatching(/^anonymous-/), 'ada']);
    expect(recordOf(ctx).submission).toBeNull();
    expect(query(ctx, 'SELECT DISTINCT operator_id FROM signal_records')).toHaveLength(3);
  });
});

describe('days received late', () => {
  const first = '2026-03-20';

  test('set a record up to 35 days later', async () => {
    expect(await setBy(35)).toMatchObject({ first_day: '2026-02-28', last_day: '2026-03-29' });
  });

  test('set none a day later: the first window without them does', async () => {
    expect(await setBy(36)).toMatchObject({ first_day: '2026-03-21', last_day: '2026-04-19' });
  });

  test('set none if all of them were received too late', async () => {
    expect((await setBy(46)).value).toBeLessThan(10_000);
  });

  /** The record after ten days were submitted, this many days after the first of them. */
  async function setBy(lateDays: number) {
    const ctx = testContext();
    ctx.clock.nowMs = Date.parse(`${first}T12:00:00.000Z`) + lateDays * DAY_MS;
    publishAndKeep(ctx);
    const device = await anEnrolledDevice(ctx, 'ada');
    await submit(ctx, device, [...tenDaysOf(90_000, first), ...poorDays(ctx)]);
    publishAndKeep(ctx);
    return recordOf(ctx);
  }

  /** Enough for a smaller record of their own. */
  function poorDays({ clock }: TestContext) {
    const start = new Date(clock.nowMs - 7 * DAY_MS).toISOString().slice(0, 10);
    return bucketsOfDays(7, start, { output: 11_000 });
  }
});

describe('windows that ended before the day of a publication', () => {
  const poor = (ctx: TestContext, device: TestDevice) => {
    const day = ctx.now().toISOString().slice(0, 10);
    return submit(ctx, device, [aBucket({ day, input: 50_000_000, output: 60_000 })]);
  };

  test('are examined for operators with changes', async () => {
    const ctx = aBoard();
    const { device } = await anOperatorWith(ctx, 'ada', 20_000);
    await poor(ctx, device);
    publishAndKeep(ctx);

    expect(recordOf(ctx)).toMatchObject({ last_day: '2026-03-09', value: 4960.47604028 });
  });

  test('are examined if no publication was made', async () => {
    const ctx = aBoard();
    const { device } = await anOperatorWith(ctx, 'ada', 20_000);
    await submit(ctx, device, [aBucket({ day: '2026-02-09', input: 40_000 })]);
    publishAndKeep(ctx);
    expect(recordOf(ctx).last_day).not.toBe('2026-03-11');
    ctx.clock.nowMs += 4 * DAY_MS;
    publishAndKeep(ctx);

    expect(recordOf(ctx).last_day).toBe('2026-03-11');
  });
});
