import { describe, expect, test } from 'vitest';
import type { Bucket } from '#core/schema/usage.ts';
import { readOperator } from '#server/board/operator.ts';
import { readStatedDays } from '#server/board/operator-stated-days.ts';
import { decideSubmission } from '#server/submission/decide-submission.ts';
import { restoreSubmission, withdrawSubmission } from '#server/submission/withdraw-submission.ts';
import { OperatorQuery } from '#core/contract/operators.ts';
import { DAY_MS, type TestDevice, aBucket } from '#tests/support/board/builders.ts';
import {
  type TestContext,
  anEnrolledDevice,
  execute,
  publish,
  query,
  submit,
  submitStating,
  testContext,
} from '#tests/support/board/context.ts';
import { refusal } from '#tests/support/http/refusal.ts';

/** Counts of a day of March 2026: 1 111 100 tokens, or another output. */
const on = (date: number, over: Partial<Bucket> = {}) =>
  aBucket({ day: `2026-03-${String(date).padStart(2, '0')}`, ...over });

async function aScene() {
  const ctx = testContext();
  return { ctx, device: await anEnrolledDevice(ctx, 'ada') };
}

/** States days of March 2026. */
function state(
  ctx: TestContext,
  device: TestDevice,
  span: readonly [number, number],
  buckets: Bucket[],
) {
  const [from, to] = span.map((date) => on(date).day) as [string, string];
  return submitStating(ctx, device, { from, to }, buckets);
}

function read(ctx: TestContext, window: '7d' | '30d' | 'all_time' = '30d') {
  publish(ctx);
  return readStatedDays(ctx, 'ada', window);
}

const caller = { operator_id: 1, device_id: null };

describe('stated days', () => {
  test('of a device that sends version 1 are the days with tokens; all others are gaps', async () => {
    const { ctx, device } = await aScene();
    await submit(ctx, device, [on(5), on(9)]);

    expect(read(ctx)).toMatchObject({ with_tokens: 2, without_tokens: 0, not_stated: 3 });
  });

  test('include days without tokens in the span, and records may lie outside of it', async () => {
    const { ctx, device } = await aScene();
    await state(ctx, device, [5, 8], [on(2), on(5), on(10)]);

    expect(read(ctx)).toEqual({
      first_day: '2026-03-02',
      last_day: '2026-03-10',
      with_tokens: 3,
      without_tokens: 3,
      not_stated: 3,
      in_time: 1 / 3,
      lowered: 0,
    });
    expect(readOperator(ctx, 'ada', OperatorQuery.parse({ window: '30d' })).stated_days).toEqual(
      read(ctx),
    );
  });

  test('of two devices are those that at least one of them states', async () => {
    const { ctx, device } = await aScene();
    const other = await anEnrolledDevice(ctx, 'ada');
    await state(ctx, device, [4, 6], [on(4)]);
    await state(ctx, other, [6, 8], [on(8, { model: 'claude-haiku-5' })]);

    expect(read(ctx)).toMatchObject({ with_tokens: 2, without_tokens: 3, not_stated: 0 });
  });

  test.each([
    ['after it ends', [8, 7]],
    ['on the day of signing', [8, 10]],
    ['in the future', [8, 12]],
  ] as const)('are rejected if the span is damaged: %s', async (_, span) => {
    const { ctx, device } = await aScene();
    await expect(state(ctx, device, span, [on(8)])).rejects.toThrow(refusal('validation_failed'));
    expect(query(ctx, 'SELECT 1 FROM submissions')).toEqual([]);
  });

  test('are no longer stated by a withdrawn or held submission, whose days are gaps', async () => {
    const { ctx, device } = await aScene();
    await submit(ctx, device, [on(1)]);
    const { answer } = await state(ctx, device, [5, 8], [on(5), on(9)]);
    const before = read(ctx);

    await withdrawSubmission(ctx, { operator_id: 1, device_id: null }, answer.id);
    expect(read(ctx)).toMatchObject({
      with_tokens: 1,
      without_tokens: 0,
      not_stated: 8,
      lowered: 2,
    });
    await restoreSubmission(ctx, caller, answer.id);
    expect(read(ctx)).toEqual({ ...before, lowered: 2 });

    decideSubmission(ctx, { kind: 'hold', id: answer.id, reason: 'A question' });
    expect(read(ctx)).toMatchObject({ without_tokens: 0, lowered: 2 });
  });

  test('do not become late when an admin releases them later', async () => {
    const { ctx, device } = await aScene();
    const { answer } = await submit(ctx, device, [on(9), on(10)]);
    decideSubmission(ctx, { kind: 'hold', id: answer.id, reason: 'A question' });
    ctx.clock.nowMs += 5 * DAY_MS;
    decideSubmission(ctx, { kind: 'release', id: answer.id, reason: 'It is fine' });

    expect(read(ctx)).toMatchObject({ with_tokens: 2, in_time: 1, lowered: 0 });
  });
});

describe('the share in time', () => {
  test('counts what was stated by the end of the next day, and what followed as late', async () => {
    const { ctx, device } = await aScene();
    await submit(ctx, device, [on(10, { input: 0, output: 100, cache_write: 0, cache_read: 0 })]);
    ctx.clock.nowMs += DAY_MS;
    await submit(ctx, device, [on(10, { input: 0, output: 300, cache_write: 0, cache_read: 0 })]);
    expect(read(ctx)).toMatchObject({ in_time: 1 });

    ctx.clock.nowMs += DAY_MS;
    await submit(ctx, device, [on(10, { input: 0, output: 400, cache_write: 0, cache_read: 0 })]);
    expect(read(ctx)).toMatchObject({ in_time: 0.75 });
  });

  test('stays when the same counts are sent again later', async () => {
    const { ctx, device } = await aScene();
    await submit(ctx, device, [on(10)]);
    ctx.clock.nowMs += 9 * DAY_MS;
    await submit(ctx, device, [on(10)]);

    expect(read(ctx)).toMatchObject({ in_time: 1 });
  });

  test('is not known for days before the board recorded it', async () => {
    const { ctx, device } = await aScene();
    await submit(ctx, device, [on(8)]);
    execute(ctx, "UPDATE operators SET changes_known_from = unixepoch('2026-03-09') / 86400");

    expect(read(ctx)).toMatchObject({ with_tokens: 1, in_time: null });
  });
});

test('a correction that lowers a day is shown, and one that raises it is not', async () => {
  const { ctx, device } = await aScene();
  await submit(ctx, device, [on(8), on(9)]);
  const correction = { tool: 'claude-code', from: on(8).day, to: on(8).day };
  await submit(ctx, device, [on(8, { output: 20_000 })], { correction });
  expect(read(ctx)).toMatchObject({ lowered: 0 });

  await submit(ctx, device, [on(8, { output: 5_000 })], { correction });
  expect(read(ctx)).toMatchObject({ with_tokens: 2, lowered: 1 });
  expect(read(ctx, '7d')).toMatchObject({ lowered: 1 });
});
