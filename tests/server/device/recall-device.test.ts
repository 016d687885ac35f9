import { describe, expect, test } from 'vitest';
import type { CountedBucket } from '#core/domain/counting/counting.ts';
import { readLoggedSnapshot } from '#core/domain/log/logged-statement.ts';
import { createEnrollmentCode } from '#server/device/create-enrollment-code.ts';
import { enrollDevice } from '#server/device/enroll-device.ts';
import { renameDevice } from '#server/device/rename-device.ts';
import { revokeDevice } from '#server/device/revoke-device.ts';
import { type TestDevice, aBucket, aDevice, bucketsOfDays } from '#tests/support/board/builders.ts';
import {
  type TestContext,
  anEnrolledDevice,
  anEnrollmentRequest,
  dumpOf,
  query,
  submit,
  testContext,
} from '#tests/support/board/context.ts';
import { refusal } from '#tests/support/http/refusal.ts';
import { replay } from '#tests/support/board/replay.ts';

function idsOf(ctx: TestContext, { keyid }: TestDevice) {
  const { operator_id = 0, device_id = 0 } = ctx.store.devices.key(keyid) ?? {};
  const { public_id = '' } = ctx.store.devices.byId(device_id) ?? {};
  return { operator_id, device_id, public_id };
}

function recall(ctx: TestContext, device: TestDevice) {
  const { operator_id, public_id } = idsOf(ctx, device);
  return revokeDevice(ctx, { operator_id, device_id: null }, public_id, 'compromised');
}

/** An operator's counts on the board and according to the log. */
function standing(ctx: TestContext, operator_id: number): [CountedBucket[], CountedBucket[]] {
  const days = { operator_id, from: '', to: '9' };
  const accepted = [];
  let row = ctx.store.submissions.nextAccepted(operator_id, 0);
  while (row) {
    accepted.push({ ...row, ...readLoggedSnapshot(row.payload) });
    row = ctx.store.submissions.nextAccepted(operator_id, row.log_index);
  }
  return [ctx.store.buckets.ofDays(days), replay(accepted)];
}

const countsOf = (buckets: readonly CountedBucket[]) =>
  buckets
    .filter(({ counts }) => counts)
    .map(({ day, model, device_id }) => [day, model, device_id]);

describe('revokeDevice() of a compromised device', () => {
  test('withdraws everything that it sent, and counts what that had superseded', async () => {
    const ctx = testContext();
    const stolen = await anEnrolledDevice(ctx, 'ada');
    const other = await anEnrolledDevice(ctx, 'ada');
    const { operator_id, device_id } = idsOf(ctx, other);
    const twin = aBucket({ day: '2026-03-01' });
    const { answer } = await submit(ctx, stolen, [twin, aBucket({ day: '2026-03-02' })]);
    await submit(ctx, other, [twin, aBucket({ day: '2026-03-01', model: 'other' })]);
    await submit(ctx, stolen, bucketsOfDays(3, '2026-03-03'));

    const revoked = recall(ctx, stolen);

    expect(revoked.revoked_reason).toBe('compromised');
    const [board, log] = standing(ctx, operator_id);
    expect(countsOf(board)).toEqual([
      ['2026-03-01', 'claude-opus-5', device_id],
      ['2026-03-01', 'other', device_id],
    ]);
    expect(countsOf(log)).toEqual(countsOf(board));
    expect(board).toHaveLength(2);
    expect(ctx.store.submissions.byId(answer.id)).toMatchObject({ state: 'withdrawn' });
    await expect(submit(ctx, stolen, [twin])).rejects.toThrow(refusal('key_revoked'));
  });

  test('enters the log, so that the board is recomputed', async () => {
    const ctx = testContext();
    const stolen = await anEnrolledDevice(ctx, 'ada');
    await submit(ctx, stolen, [aBucket()]);
    const { operator_id, public_id } = idsOf(ctx, stolen);

    recall(ctx, stolen);

    const entry = ctx.store.log.lastOfKind('revoke');
    const payload = JSON.parse(Buffer.from(entry?.payload ?? '').toString()) as unknown;
    expect(payload).toMatchObject({ device: public_id, reason: 'compromised' });
    expect(ctx.store.operators.byId(operator_id)?.log_index).toBe(entry?.log_index);
  });

  test('includes its earlier keys, works for a revoked device, and is idempotent', async () => {
    const ctx = testContext();
    const first = await anEnrolledDevice(ctx, 'ada');
    const { operator_id, public_id } = idsOf(ctx, first);
    await submit(ctx, first, [aBucket()]);
    const second = await aDevice(first.installation_id);
    const { code } = createEnrollmentCode(ctx, operator_id);
    await enrollDevice(ctx, await anEnrollmentRequest(ctx, second, code));
    revokeDevice(ctx, { operator_id, device_id: null }, public_id);

    recall(ctx, second);

    expect(query(ctx, 'SELECT revoked_reason FROM device_keys')).toEqual([
      { revoked_reason: 'compromised' },
      { revoked_reason: 'compromised' },
    ]);
    expect(query(ctx, 'SELECT 1 FROM buckets')).toEqual([]);
    const once = dumpOf(ctx);
    recall(ctx, second);
    expect(dumpOf(ctx)).toEqual(once);
  });

  test('is rejected for the device itself, whose key may be stolen', async () => {
    const ctx = testContext();
    const stolen = await anEnrolledDevice(ctx, 'ada');
    const { public_id, ...caller } = idsOf(ctx, stolen);
    const before = dumpOf(ctx);

    expect(() => revokeDevice(ctx, caller, public_id, 'compromised')).toThrow(
      refusal('query_invalid'),
    );
    expect(dumpOf(ctx)).toEqual(before);
  });

  test('wins against a concurrent snapshot', async () => {
    const ctx = testContext();
    const stolen = await anEnrolledDevice(ctx, 'ada');
    const sent = submit(ctx, stolen, [aBucket()]);
    recall(ctx, stolen);

    await expect(sent).rejects.toThrow(refusal('key_revoked'));
    expect(query(ctx, 'SELECT 1 FROM buckets')).toEqual([]);
  });
});

describe('renameDevice()', () => {
  test('names a device of the operator, and not of another operator', async () => {
    const ctx = testContext();
    const device = await anEnrolledDevice(ctx, 'ada');
    const { operator_id, public_id } = idsOf(ctx, device);

    expect(renameDevice(ctx, operator_id, public_id, 'Desk')).toMatchObject({ label: 'Desk' });
    expect(ctx.store.devices.byPublicId(public_id)).toMatchObject({ label: 'Desk' });
    expect(() => renameDevice(ctx, operator_id + 1, public_id, 'Mine')).toThrow(
      refusal('not_found'),
    );
    expect(ctx.store.devices.byPublicId(public_id)).toMatchObject({ label: 'Desk' });
  });
});
