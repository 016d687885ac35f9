import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { composeRecord } from '#core/domain/metrics/record.ts';
import { type Bucket, MAX_COUNT } from '#core/schema/usage.ts';
import { submitSnapshot } from '#server/submission/submit-snapshot.ts';
import { withdrawSubmission } from '#server/submission/withdraw-submission.ts';
import { MINUTE_MS, aBucket, aPayload } from '#tests/support/board/builders.ts';
import {
  type TestContext,
  anEnrolledDevice,
  anOperator,
  dumpOf,
  query,
  submit,
  testContext,
} from '#tests/support/board/context.ts';
import { refusal } from '#tests/support/http/refusal.ts';

const CALLER = { operator_id: 1, device_id: null };

async function aScene() {
  const ctx = testContext();
  const device = await anEnrolledDevice(ctx, 'ada');
  const send = async (...over: Partial<Bucket>[]) =>
    (await submit(ctx, device, over.map(aBucket))).answer;
  return { ctx, device, send };
}

/** Day, tool and output of the records that count. */
const counting = (ctx: TestContext) =>
  query<{ text: string }>(
    ctx,
    `SELECT day || ' ' || tool || ' ' || output AS text FROM buckets WHERE counts = 1 ORDER BY text`,
  ).map(({ text }) => text);

const stateOf = (ctx: TestContext, id: string) => ctx.store.submissions.byId(id)?.state;

/** Puts a submission on hold directly. */
function hold({ store, now }: TestContext, logIndex: number): void {
  store.transaction(() => {
    store.submissions.setState(logIndex, 'held');
    const entry = { kind: 'hold', operator_id: 1, payload: {}, now: now() } as const;
    store.operators.touch(1, store.log.append(entry).log_index);
  });
}

describe('withdrawSubmission()', () => {
  test('counts what the submission had superseded, and removes what only it reported', async () => {
    const { ctx, send } = await aScene();
    await send({ output: 10_000 });
    const { id } = await send({ output: 20_000 }, { day: '2026-03-02' });

    await withdrawSubmission(ctx, CALLER, id);

    expect(counting(ctx)).toEqual(['2026-03-01 claude-code 10000']);
    expect(stateOf(ctx, id)).toBe('withdrawn');
  });

  test('keeps later submissions, and what other submissions report', async () => {
    const { ctx, send } = await aScene();
    const { id } = await send({ output: 10_000 }, { tool: 'codex' });
    await send({ output: 20_000 }, { day: '2026-03-02' });

    await withdrawSubmission(ctx, CALLER, id);

    expect(counting(ctx)).toEqual(['2026-03-01 claude-code 20000', '2026-03-02 claude-code 10000']);
  });

  test('undoes the corrections inside it', async () => {
    const { ctx, device, send } = await aScene();
    await send({ day: '2026-03-01' }, { day: '2026-03-02' });
    const correction = { tool: 'claude-code', from: '2026-03-01', to: '2026-03-02' };
    const { answer } = await submit(ctx, device, [aBucket({ output: 1 })], { correction });
    expect(counting(ctx)).toEqual(['2026-03-01 claude-code 1']);

    await withdrawSubmission(ctx, CALLER, answer.id);

    expect(counting(ctx)).toEqual(['2026-03-01 claude-code 10000', '2026-03-02 claude-code 10000']);
  });

  test("lets another device's equal bucket count in its place", async () => {
    const { ctx, send } = await aScene();
    const { id } = await send({});
    await submit(ctx, await anEnrolledDevice(ctx, 'ada'), [aBucket()]);

    await withdrawSubmission(ctx, CALLER, id);

    expect(query(ctx, 'SELECT device_id, counts FROM buckets')).toEqual([
      { device_id: 2, counts: 1 },
    ]);
  });

  test('enters the log, and is part of the next publication', async () => {
    const { ctx, send } = await aScene();
    const { id, log_index } = await send({});
    ctx.clock.nowMs += MINUTE_MS;

    await withdrawSubmission(ctx, CALLER, id);

    const entry = ctx.store.log.at(log_index + 1);
    const operator = ctx.store.operators.byId(1);
    expect(entry).toMatchObject({
      kind: 'withdraw',
      operator_id: 1,
      received_at: new Date(ctx.clock.nowMs).toISOString(),
    });
    expect(JSON.parse(Buffer.from(entry?.payload ?? []).toString())).toEqual({
      operator: operator?.public_id,
      submission: id,
      log_index,
    });
    expect(operator?.log_index).toBe(log_index + 1);
  });

  test('changes nothing the second time', async () => {
    const { ctx, send } = await aScene();
    const { id } = await send({});
    await withdrawSubmission(ctx, CALLER, id);
    const before = dumpOf(ctx);
    ctx.clock.nowMs += MINUTE_MS;

    await withdrawSubmission(ctx, CALLER, id);

    expect(dumpOf(ctx)).toEqual(before);
  });

  test.each(['held', 'rejected'] as const)('withdraws a %s one', async (state) => {
    const { ctx, send } = await aScene();
    const { id, log_index } = await send({});
    ctx.store.submissions.setState(log_index, state);

    await withdrawSubmission(ctx, CALLER, id);

    expect(stateOf(ctx, id)).toBe('withdrawn');
    expect(counting(ctx)).toEqual([]);
  });

  test("throws not_found for another operator's submissions and unknown IDs, and changes nothing", async () => {
    const { ctx, send } = await aScene();
    const { id } = await send({});
    const stranger = { operator_id: anOperator(ctx, 'bob').id, device_id: null };
    const before = dumpOf(ctx);

    await expect(withdrawSubmission(ctx, stranger, id)).rejects.toThrow(refusal('not_found'));
    await expect(
      withdrawSubmission(ctx, CALLER, '019a0000-0000-7000-8000-000000000000'),
    ).rejects.toThrow(refusal('not_found'));
    expect(dumpOf(ctx)).toEqual(before);
  });

  test('returns the first receipt for the withdrawn bytes, and does not restore them', async () => {
    const { ctx, device } = await aScene();
    const text = JSON.stringify(await device.seal(aPayload()));
    const { answer } = await submitSnapshot(ctx, text);
    await withdrawSubmission(ctx, CALLER, answer.id);

    expect(await submitSnapshot(ctx, text)).toEqual({ created: false, answer });
    expect(counting(ctx)).toEqual([]);
  });

  test('allows submitting the same records again', async () => {
    const { ctx, send } = await aScene();
    const { id } = await send({ output: 20_000 });
    await withdrawSubmission(ctx, CALLER, id);

    await send({ output: 10_000 });

    expect(counting(ctx)).toEqual(['2026-03-01 claude-code 10000']);
  });

  test("does not change when the operator's devices sent last", async () => {
    const { ctx, send } = await aScene();
    const { id } = await send({});
    const before = ctx.store.devices.ofOperator(1);

    await withdrawSubmission(ctx, CALLER, id);

    expect(ctx.store.devices.ofOperator(1)).toEqual(before);
  });

  test('rolls back if the total would exceed 2^53-1', async () => {
    const { ctx, device, send } = await aScene();
    const most = { input: MAX_COUNT, output: 0, cache_write: null, cache_read: null };
    await send(most);
    const correction = { tool: 'claude-code', from: '2026-03-01', to: '2026-03-01' };
    const only = aBucket({ ...most, day: '2026-03-02' });
    const { answer } = await submit(ctx, device, [only], { correction });
    await send({ ...most, day: '2026-03-02' });
    const before = dumpOf(ctx);

    await expect(withdrawSubmission(ctx, CALLER, answer.id)).rejects.toThrow(
      refusal('count_out_of_range'),
    );
    expect(dumpOf(ctx)).toEqual(before);
  });

  test('reads the log of a board whose address has changed', async () => {
    const { ctx, send } = await aScene();
    await send({ output: 10_000 });
    const { id } = await send({ output: 20_000 });
    const moved = { ...ctx, config: { ...ctx.config, baseUrl: 'https://elsewhere.example' } };

    await withdrawSubmission(moved, CALLER, id);

    expect(counting(ctx)).toEqual(['2026-03-01 claude-code 10000']);
  });

  test('handles many at once, each based on the others', async () => {
    const { ctx, send } = await aScene();
    await send({ output: 10_000 });
    const ids = [];
    for (let at = 1; at <= 12; at += 1) ids.push((await send({ output: 10_000 + at })).id);

    await Promise.all(ids.map((id) => withdrawSubmission(ctx, CALLER, id)));

    expect(counting(ctx)).toEqual(['2026-03-01 claude-code 10000']);
  });

  test('starts over when the counts change in the meantime', async () => {
    const { ctx, send } = await aScene();
    const first = await send({ output: 30_000 });
    await send({ output: 20_000 });
    const { id } = await send({ output: 40_000 });

    const withdrawn = withdrawSubmission(ctx, CALLER, id);
    await setImmediate();
    hold(ctx, first.log_index);
    await withdrawn;

    expect(counting(ctx)).toEqual(['2026-03-01 claude-code 20000']);
  });

  test('includes a submission that arrives in the meantime', async () => {
    const { ctx, device, send } = await aScene();
    await send({ output: 10_000 });
    const { id } = await send({ output: 20_000 });
    const records = [composeRecord(aBucket({ output: 15_000 }))];
    const envelope = JSON.stringify(await device.seal(aPayload({ records })));

    await Promise.all([withdrawSubmission(ctx, CALLER, id), submitSnapshot(ctx, envelope)]);

    expect(counting(ctx)).toEqual(['2026-03-01 claude-code 15000']);
  });
});
