import { describe, expect, test } from 'vitest';
import { type Bucket, MAX_COUNT } from '#core/schema/usage.ts';
import { decideSubmission } from '#server/submission/decide-submission.ts';
import { restoreSubmission, withdrawSubmission } from '#server/submission/withdraw-submission.ts';
import { revokeDevice } from '#server/device/revoke-device.ts';
import { readMe } from '#server/board/me.ts';
import { findOwnSubmission } from '#server/submission/submission-pages.ts';
import { MINUTE_MS, aBucket } from '#tests/support/board/builders.ts';
import {
  type TestContext,
  anEnrolledDevice,
  anOperator,
  dumpOf,
  enroll,
  publish,
  query,
  submit,
  testContext,
} from '#tests/support/board/context.ts';
import { refusal } from '#tests/support/http/refusal.ts';
import { findingsOf, renewed, replace, revoke } from '#tests/support/board/replacing.ts';

const CALLER = { operator_id: 1, device_id: null };

async function aScene() {
  const ctx = testContext();
  const device = await anEnrolledDevice(ctx, 'ada');
  const send = async (...over: Partial<Bucket>[]) =>
    (await submit(ctx, device, over.map(aBucket))).answer;
  const withdraw = (id: string) => withdrawSubmission(ctx, CALLER, id);
  return { ctx, device, send, withdraw };
}

const counting = (ctx: TestContext) =>
  query<{ text: string }>(
    ctx,
    `SELECT day || ' ' || output AS text FROM buckets WHERE counts = 1 ORDER BY text`,
  ).map(({ text }) => text);

const stateOf = (ctx: TestContext, id: string) => ctx.store.submissions.byId(id)?.state;

const eventsOf = (ctx: TestContext) =>
  ctx.store.accountEvents.ofOperator(1).map(({ kind, detail }) => [kind, detail]);

describe('restoreSubmission()', () => {
  test('counts the submission again, at its place in the log', async () => {
    const { ctx, send, withdraw } = await aScene();
    await send({ output: 10_000 });
    const { id } = await send({ output: 20_000 }, { day: '2026-03-02', output: 5 });
    await withdraw(id);
    await send({ output: 30_000 });

    await restoreSubmission(ctx, CALLER, id);

    expect(counting(ctx)).toEqual(['2026-03-01 30000', '2026-03-02 5']);
    expect(stateOf(ctx, id)).toBe('accepted');
  });

  test("enters the log and the account's events, and lets the next publication see it", async () => {
    const { ctx, send, withdraw } = await aScene();
    const { id, log_index } = await send({});
    await withdraw(id);
    ctx.clock.nowMs += MINUTE_MS;

    await restoreSubmission(ctx, CALLER, id);

    const entry = ctx.store.log.at(log_index + 2);
    const operator = ctx.store.operators.byId(1);
    const received_at = new Date(ctx.clock.nowMs).toISOString();
    expect(entry).toMatchObject({ kind: 'restore', operator_id: 1, received_at });
    const payload = { operator: operator?.public_id, submission: id, log_index };
    expect(JSON.parse(Buffer.from(entry?.payload ?? []).toString())).toEqual(payload);
    expect(operator?.log_index).toBe(log_index + 2);
    expect(eventsOf(ctx).slice(0, 2)).toEqual([
      ['submission_restored', id],
      ['submission_withdrawn', id],
    ]);
  });

  test('is idempotent, and changes nothing about submissions that are not withdrawn', async () => {
    const { ctx, send, withdraw } = await aScene();
    const { id } = await send({});
    const accepted = dumpOf(ctx);
    await restoreSubmission(ctx, CALLER, id);
    expect(dumpOf(ctx)).toEqual(accepted);
    await withdraw(id);
    await restoreSubmission(ctx, CALLER, id);
    const before = dumpOf(ctx);

    await restoreSubmission(ctx, CALLER, id);

    expect(dumpOf(ctx)).toEqual(before);
  });

  test.each([
    ['hold', 'held'],
    ['reject', 'rejected'],
  ] as const)(
    '%ss again a submission that was in that state before: it does not count',
    async (kind, state) => {
      const { ctx, send, withdraw } = await aScene();
      const { id } = await send({});
      decideSubmission(ctx, { kind, id, reason: 'A test' });
      await withdraw(id);

      await restoreSubmission(ctx, CALLER, id);

      expect([stateOf(ctx, id), ...counting(ctx)]).toEqual([state]);
    },
  );

  test('throws state_conflict for submissions of a compromised device, and changes nothing', async () => {
    const { ctx, send, withdraw } = await aScene();
    const [first, second] = [await send({}), await send({ day: '2026-03-02' })];
    await withdraw(first.id);
    const device = ctx.store.devices.ofOperator(1)[0]?.public_id ?? '';
    revokeDevice(ctx, CALLER, device, 'compromised');
    const before = dumpOf(ctx);

    for (const { id } of [first, second]) {
      const restored = restoreSubmission(ctx, CALLER, id);
      await expect(restored).rejects.toThrow(refusal('state_conflict'));
    }
    expect(dumpOf(ctx)).toEqual(before);
  });

  test('throws state_conflict even after the compromised device was enrolled again and replaced', async () => {
    const { ctx, device, send } = await aScene();
    const { id } = await send({});
    revoke(ctx, device, 'compromised');
    const again = await renewed(device);
    await enroll(ctx, { id: 1 }, again);
    const newer = await submit(ctx, again, [aBucket({ day: '2026-03-02' })]);
    await replace(ctx, again);
    await withdrawSubmission(ctx, CALLER, newer.answer.id);

    await expect(restoreSubmission(ctx, CALLER, id)).rejects.toThrow(refusal('state_conflict'));

    publish(ctx);
    expect((await findOwnSubmission(ctx, CALLER as never, id))?.isCompromised).toBe(true);
    expect(readMe(ctx, CALLER as never).withdrawn.map((one) => one.id)).toEqual([newer.answer.id]);
    await expect(findingsOf(ctx)).resolves.toEqual([]);
  });

  test('restores submissions of a device that was replaced after the other one was compromised', async () => {
    const { ctx, device, send, withdraw } = await aScene();
    const own = await anEnrolledDevice(ctx, 'ada');
    const [held, taken] = [await send({}), await send({ day: '2026-03-02' })];
    decideSubmission(ctx, { kind: 'hold', id: held.id, reason: 'A test' });
    await withdraw(taken.id);
    revoke(ctx, own, 'compromised');
    await replace(ctx, device, { by: await renewed(own) });

    await restoreSubmission(ctx, CALLER, taken.id);
    decideSubmission(ctx, { kind: 'release', id: held.id, reason: 'A test' });

    expect(counting(ctx)).toEqual(['2026-03-01 10000', '2026-03-02 10000']);
    await expect(findingsOf(ctx)).resolves.toEqual([]);
  });

  test('restores submissions of a device that was revoked for another reason', async () => {
    const { ctx, send, withdraw } = await aScene();
    const { id } = await send({});
    await withdraw(id);
    const device = ctx.store.devices.ofOperator(1)[0]?.public_id ?? '';
    revokeDevice(ctx, CALLER, device, 'revoked');

    await restoreSubmission(ctx, CALLER, id);

    expect(stateOf(ctx, id)).toBe('accepted');
  });

  test('lets a device change only its own submissions', async () => {
    const { ctx, device, send } = await aScene();
    const { id } = await send({});
    const other = await anEnrolledDevice(ctx, 'ada');
    const callerOf = (keyid: string) => {
      return { operator_id: 1, device_id: ctx.store.devices.key(keyid)?.device_id ?? 0 };
    };
    const [own, others] = [callerOf(device.keyid), callerOf(other.keyid)];

    await expect(withdrawSubmission(ctx, others, id)).rejects.toThrow(refusal('not_found'));
    await withdrawSubmission(ctx, own, id);
    await expect(restoreSubmission(ctx, others, id)).rejects.toThrow(refusal('not_found'));
    await restoreSubmission(ctx, own, id);

    expect(stateOf(ctx, id)).toBe('accepted');
  });

  test("throws not_found for another operator's submissions and unknown IDs", async () => {
    const { ctx, send, withdraw } = await aScene();
    const { id } = await send({});
    await withdraw(id);
    const stranger = { operator_id: anOperator(ctx, 'bob').id, device_id: null };
    const unknown = '019a0000-0000-7000-8000-000000000000';

    await expect(restoreSubmission(ctx, stranger, id)).rejects.toThrow(refusal('not_found'));
    await expect(restoreSubmission(ctx, CALLER, unknown)).rejects.toThrow(refusal('not_found'));
    expect(stateOf(ctx, id)).toBe('withdrawn');
  });

  test('rolls back if the total would exceed 2^53-1', async () => {
    const { ctx, send, withdraw } = await aScene();
    const most = { input: MAX_COUNT, output: 0, cache_write: null, cache_read: null };
    const { id } = await send(most);
    await withdraw(id);
    await send({ ...most, day: '2026-03-02' });
    const before = dumpOf(ctx);

    const restored = restoreSubmission(ctx, CALLER, id);

    await expect(restored).rejects.toThrow(refusal('count_out_of_range'));
    expect(dumpOf(ctx)).toEqual(before);
  });

  test('runs one after the other with other changes of the operator', async () => {
    const { ctx, send, withdraw } = await aScene();
    await send({ output: 10_000 });
    const { id } = await send({ output: 20_000 });

    await Promise.all([
      withdraw(id),
      restoreSubmission(ctx, CALLER, id),
      withdraw(id),
      restoreSubmission(ctx, CALLER, id),
    ]);

    expect(counting(ctx)).toEqual(['2026-03-01 20000']);
    expect(eventsOf(ctx).filter(([kind]) => String(kind).startsWith('submission_'))).toHaveLength(
      4,
    );
  });
});
