import { describe, expect, test } from 'vitest';
import type { Bucket } from '#core/schema/usage.ts';
import { decideSubmission } from '#server/submission/decide-submission.ts';
import { restoreSubmission, withdrawSubmission } from '#server/submission/withdraw-submission.ts';
import { revokeDevice } from '#server/device/revoke-device.ts';
import { readMe } from '#server/board/me.ts';
import { restateAtOnce } from '#server/counting/recount.ts';
import { enterState } from '#server/counting/submission-state.ts';
import { aBucket } from '#tests/support/board/builders.ts';
import {
  type TestContext,
  anEnrolledDevice,
  dumpOf,
  enroll,
  publish,
  query,
  submit,
  testContext,
} from '#tests/support/board/context.ts';
import { refusal } from '#tests/support/http/refusal.ts';
import { findingsOf, renewed } from '#tests/support/board/replacing.ts';

type Kind = Parameters<typeof decideSubmission>[1]['kind'];

const CALLER = { operator_id: 1, device_id: null };

async function aScene() {
  const ctx = testContext();
  const device = await anEnrolledDevice(ctx, 'ada');
  const send = async (...over: Partial<Bucket>[]) =>
    (await submit(ctx, device, over.map(aBucket))).answer;
  const decide = (kind: Kind, id: string) =>
    decideSubmission(ctx, { kind, id, reason: `because of ${kind}` });
  return { ctx, device, send, decide };
}

const counting = (ctx: TestContext) =>
  query<{ output: number }>(ctx, 'SELECT output FROM buckets WHERE counts = 1').map(
    ({ output }) => output,
  );

describe('decideSubmission()', () => {
  test('excludes held and rejected submissions from the counts, and restores them on release', async () => {
    const { ctx, send, decide } = await aScene();
    await send({ output: 10_000 });
    const { id } = await send({ output: 20_000 });
    const outcomes = (['hold', 'release', 'reject', 'hold', 'reject', 'release'] as const).map(
      (kind) => {
        decide(kind, id);
        return [kind, ctx.store.submissions.byId(id)?.state, ...counting(ctx)];
      },
    );

    expect(outcomes).toEqual([
      ['hold', 'held', 10_000],
      ['release', 'accepted', 20_000],
      ['reject', 'rejected', 10_000],
      ['hold', 'held', 10_000],
      ['reject', 'rejected', 10_000],
      ['release', 'accepted', 20_000],
    ]);
  });

  test('releases a held submission at its place in the log, not as the newest', async () => {
    const { ctx, send, decide } = await aScene();
    const { id } = await send({ output: 10_000 });
    decide('hold', id);
    await send({ output: 20_000 });

    decide('release', id);

    expect(counting(ctx)).toEqual([20_000]);
  });

  test("records the decision in the log, the audit log and the owner's events", async () => {
    const { ctx, send, decide } = await aScene();
    const { id, log_index } = await send({});

    decide('reject', id);

    const operator = ctx.store.operators.byCodename('ada');
    const entry = ctx.store.log.lastOfKind('reject');
    expect(JSON.parse(new TextDecoder().decode(entry?.payload ?? new Uint8Array()))).toEqual({
      operator: operator?.public_id,
      submission: id,
      log_index,
      by: 'keeper',
      reason: 'because of reject',
    });
    expect(operator?.log_index).toBe(entry?.log_index);
    expect(ctx.store.auditLog.newest(1)).toMatchObject([
      { action: 'reject', subject: id, codename: 'ada', reason: 'because of reject' },
    ]);
    const [event] = ctx.store.accountEvents.ofOperator(1);
    expect(event).toMatchObject({ kind: 'submission_rejected', detail: id });
  });

  test('lets the admin hold what a check holds, with a reason for the owner', async () => {
    const { ctx, send, decide } = await aScene();
    const { id, log_index } = await send({ output: 10_000 });
    const { public_id = '' } = ctx.store.operators.byId(1) ?? {};
    const found = {
      public_id,
      place: log_index,
      by: 'check:input_share',
      reason: 'found',
    } as const;
    restateAtOnce(ctx, () => ({
      operator_id: 1,
      submissions: [log_index],
      state: 'held',
      enter: () => enterState(ctx.store, { kind: 'hold', ...found, now: ctx.now() }),
    }));
    publish(ctx);
    const reasons = () => readMe(ctx, CALLER).notices.map(({ reason }) => reason);
    const before = reasons();

    decide('hold', id);

    expect(before).toEqual([null]);
    expect(reasons()).toEqual(['because of hold']);
    expect([ctx.store.submissions.byId(id)?.state, ...counting(ctx)]).toEqual(['held']);
    expect(() => decide('hold', id)).toThrow(refusal('state_conflict'));
  });

  test.each([
    ['release', 'accepted'],
    ['hold', 'held'],
    ['reject', 'rejected'],
    ['release', 'withdrawn'],
  ] as const)('cannot %s a submission that is %s, and changes nothing', async (kind, state) => {
    const { ctx, send, decide } = await aScene();
    const { id } = await send({});
    if (state === 'held') decide('hold', id);
    if (state === 'rejected') decide('reject', id);
    if (state === 'withdrawn') await withdrawSubmission(ctx, CALLER, id);
    const before = dumpOf(ctx);

    expect(() => decide(kind, id)).toThrow(refusal('state_conflict'));
    expect(dumpOf(ctx)).toEqual(before);
  });

  test.each([
    ['hold', 'held'],
    ['reject', 'rejected'],
  ] as const)('lets %s apply once the withdrawn submission is restored', async (kind, state) => {
    const { ctx, send, decide } = await aScene();
    const { id } = await send({ output: 10_000 });
    await withdrawSubmission(ctx, CALLER, id);

    decide(kind, id);

    expect(ctx.store.submissions.byId(id)?.state).toBe('withdrawn');
    expect(() => decide(kind, id)).toThrow(refusal('state_conflict'));
    await restoreSubmission(ctx, CALLER, id);
    expect([ctx.store.submissions.byId(id)?.state, ...counting(ctx)]).toEqual([state]);
    decide('release', id);
    expect(counting(ctx)).toEqual([10_000]);
  });

  test('decides nothing about withdrawn submissions of a compromised device', async () => {
    const { ctx, send, decide } = await aScene();
    const { id } = await send({});
    const device = ctx.store.devices.ofOperator(1)[0]?.public_id ?? '';
    revokeDevice(ctx, CALLER, device, 'compromised');

    expect(() => decide('reject', id)).toThrow(refusal('state_conflict'));
  });

  test('releases nothing of a device that is marked as compromised', async () => {
    const { ctx, device: sender, send, decide } = await aScene();
    const { id } = await send({});
    decide('reject', id);
    const device = ctx.store.devices.ofOperator(1)[0]?.public_id ?? '';
    revokeDevice(ctx, CALLER, device, 'compromised');

    expect(() => decide('release', id)).toThrow(refusal('state_conflict'));
    await enroll(ctx, { id: 1 }, await renewed(sender));
    expect(() => decide('release', id)).toThrow(refusal('state_conflict'));
    await expect(findingsOf(ctx)).resolves.toEqual([]);
  });

  test.each([
    ['empty', ''],
    ['blank', ' '],
    ['of two lines', 'two\nlines'],
    ['with a bidi mark', 'a\u202e'],
    ['too long', 'x'.repeat(301)],
  ])(
    'rejects a reason that is %s, because the log would keep it permanently',
    async (_, reason) => {
      const { ctx, send } = await aScene();
      const { id } = await send({});
      const before = dumpOf(ctx);

      expect(() => decideSubmission(ctx, { kind: 'hold', id, reason })).toThrow(
        refusal('validation_failed'),
      );
      expect(dumpOf(ctx)).toEqual(before);
    },
  );

  test('throws not_found for an unknown submission', async () => {
    const { decide } = await aScene();

    expect(() => decide('hold', 'nothing')).toThrow(refusal('not_found'));
  });
});
