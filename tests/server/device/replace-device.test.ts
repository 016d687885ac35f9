import { describe, expect, test } from 'vitest';
import { createEnrollmentCode } from '#server/device/create-enrollment-code.ts';
import { AccountExport } from '#core/contract/account-export.ts';
import { decideSubmission } from '#server/submission/decide-submission.ts';
import { deleteAccount } from '#server/account/delete-account.ts';
import { enrollDevice } from '#server/device/enroll-device.ts';
import { withdrawSubmission } from '#server/submission/withdraw-submission.ts';
import { exportAccount } from '#server/account/account-export.ts';
import { readDeviceList, readOperatorKeys } from '#server/device/devices.ts';
import { DAY_MS, aBucket, bucketsOfDays } from '#tests/support/board/builders.ts';
import {
  type TestContext,
  anEnrolledDevice,
  anEnrollmentRequest,
  dumpOf,
  enroll,
  publishAndKeep,
  query,
  submit,
  testContext,
} from '#tests/support/board/context.ts';
import { fingerprintOfResponses } from '#tests/support/board/fingerprints.ts';
import { refusal } from '#tests/support/http/refusal.ts';
import {
  DOUBLED_DAY as DAY,
  aDoubledDay,
  asIfOne,
  enrollEntries,
  findingsOf,
  idsOf,
  renewed,
  replace,
  revoke,
  standing,
} from '#tests/support/board/replacing.ts';

function withdraw(ctx: TestContext, id: string) {
  return withdrawSubmission(ctx, { operator_id: 1, device_id: null } as never, id);
}

describe('a device that replaces another', () => {
  test('takes over its submissions, and counts duplicate days once', async () => {
    const { ctx, old, own, other } = await aDoubledDay();
    const doubled = standing(ctx);
    const { public_id } = idsOf(ctx, old);

    const again = await replace(ctx, old, { by: await renewed(own) });

    expect(standing(ctx)).not.toEqual(doubled);
    expect(standing(ctx)).toHaveLength(4);
    expect(standing(ctx)).toEqual(asIfOne(ctx, [old, own, again], [other]));
    expect(enrollEntries(ctx).at(-1)).toMatchObject({
      device: idsOf(ctx, again).public_id,
      replaces: public_id,
    });
    await expect(findingsOf(ctx)).resolves.toEqual([]);
  });

  test('continues from the counts of the replaced device, if it is new', async () => {
    const { ctx, old, own, other } = await aDoubledDay();
    const before = standing(ctx);

    const fresh = await replace(ctx, old);

    expect(standing(ctx)).toEqual(before);
    await submit(ctx, fresh, [aBucket({ day: DAY, output: 19_000 })]);
    expect(standing(ctx)).toEqual(before);
    await submit(ctx, fresh, [aBucket({ day: DAY, output: 21_000 })]);
    expect(standing(ctx)).toHaveLength(before.length);
    expect(standing(ctx)).toEqual(asIfOne(ctx, [old, fresh], [own], [other]));
    await expect(findingsOf(ctx)).resolves.toEqual([]);
  });

  test('is a device, and the replaced one no longer is', async () => {
    const { ctx, old, own } = await aDoubledDay();
    const { public_id, operator_id } = idsOf(ctx, old);
    ctx.clock.nowMs += DAY_MS;

    const fresh = await replace(ctx, old, { label: 'Studio' });

    const { total, devices } = readDeviceList(ctx, operator_id);
    expect(total).toBe(3);
    expect(devices.map(({ id }) => id)).not.toContain(public_id);
    expect(devices[0]).toMatchObject({
      id: idsOf(ctx, fresh).public_id,
      label: 'Studio',
      keyid: fresh.keyid,
      revoked_at: null,
      last_submission_at: '2026-03-10T12:00:00.000Z',
      replaced: [{ id: public_id, label: 'Laptop', replaced_at: ctx.now().toISOString() }],
    });
    expect(devices.find(({ keyid }) => keyid === own.keyid)?.replaced).toEqual([]);
    await expect(submit(ctx, old, [aBucket()])).rejects.toThrow(refusal('key_revoked'));
  });

  test('keeps the history of keys', async () => {
    const { ctx, old } = await aDoubledDay();

    const fresh = await replace(ctx, old);

    const { total, keys } = readOperatorKeys(ctx, 'ada');
    expect(total).toBe(4);
    expect(keys.find(({ keyid }) => keyid === old.keyid)?.revoked_reason).toBe('rotated');
    expect(keys.find(({ keyid }) => keyid === fresh.keyid)?.revoked_at).toBeNull();
  });

  test('is shown to the owner', async () => {
    const { ctx, old } = await aDoubledDay();

    await replace(ctx, old, { label: 'Studio' });

    const [newest] = ctx.store.accountEvents.ofOperator(1);
    expect(newest).toMatchObject({ kind: 'device_replaced', detail: 'Laptop by Studio' });
  });

  test('gets the same response again for the same code and key', async () => {
    const { ctx, old, own } = await aDoubledDay();
    const { code } = createEnrollmentCode(ctx, 1);
    const replaces = idsOf(ctx, old).public_id;
    const request = await anEnrollmentRequest(ctx, await renewed(own), code, { replaces });
    const first = await enrollDevice(ctx, request);
    const before = dumpOf(ctx);

    const again = await enrollDevice(ctx, request);

    expect(again).toEqual({ ...first, created: false });
    expect(dumpOf(ctx)).toEqual(before);
  });

  test.each<[string, number]>([
    ['the old device has more', 40],
    ['its own is more', 3],
  ])('moves the smaller number of rows, when %s', async (_, days) => {
    const ctx = testContext();
    const old = await anEnrolledDevice(ctx, 'ada');
    const own = await anEnrolledDevice(ctx, 'ada');
    await submit(ctx, old, bucketsOfDays(days, '2026-01-01', { input: 5 }));
    await submit(ctx, own, bucketsOfDays(12, '2026-01-02', { input: 6 }));
    const { public_id } = idsOf(ctx, own);

    const again = await replace(ctx, old, { by: await renewed(own) });

    expect(idsOf(ctx, again).public_id).toBe(public_id);
    expect(standing(ctx)).toEqual(asIfOne(ctx, [old, own, again]));
    await expect(findingsOf(ctx)).resolves.toEqual([]);
  });

  test.each<[string, number, number]>([
    ['the later one is larger', 10, 20],
    ['the later one is as large', 10, 10],
    ['the later one is smaller', 20, 10],
  ])('updates a bucket with a later count, when %s', async (_, first, second) => {
    const ctx = testContext();
    const old = await anEnrolledDevice(ctx, 'ada');
    const own = await anEnrolledDevice(ctx, 'ada');
    await submit(ctx, own, [aBucket({ day: DAY, output: first })]);
    await submit(ctx, old, [aBucket({ day: DAY, output: second })]);

    const again = await replace(ctx, old, { by: await renewed(own) });

    expect(standing(ctx)).toHaveLength(1);
    expect(standing(ctx)).toEqual(asIfOne(ctx, [old, own, again]));
    await expect(findingsOf(ctx)).resolves.toEqual([]);
  });

  test.each(['old', 'own'] as const)(
    'lets a correction of the %s device correct both',
    async (which) => {
      const { ctx, old, own, other } = await aDoubledDay();
      const correction = { tool: 'claude-code', from: '2026-02-01', to: '2026-03-01' };
      await submit(ctx, { old, own }[which], [aBucket({ day: DAY, output: 3 })], { correction });
      await submit(ctx, old, [aBucket({ day: '2026-02-20', output: 4 })]);

      const again = await replace(ctx, old, { by: await renewed(own) });

      expect(standing(ctx)).toEqual(asIfOne(ctx, [old, own, again], [other]));
      expect(standing(ctx)).toHaveLength(3);
      await expect(findingsOf(ctx)).resolves.toEqual([]);
    },
  );

  test('forms a chain with devices that were replaced before', async () => {
    const { ctx, old, own, other } = await aDoubledDay();
    const [{ public_id: first }, { public_id: second }] = [idsOf(ctx, old), idsOf(ctx, own)];
    const again = await replace(ctx, old, { by: await renewed(own) });
    await submit(ctx, again, [aBucket({ day: DAY, output: 30_000 })]);
    publishAndKeep(ctx);
    ctx.clock.nowMs += DAY_MS;

    const last = await replace(ctx, again);

    await submit(ctx, last, [aBucket({ day: DAY, output: 31_000 })]);
    expect(standing(ctx)).toEqual(asIfOne(ctx, [old, own, again, last], [other]));
    const [device] = readDeviceList(ctx, 1).devices;
    expect(device?.replaced.map(({ id }) => id)).toEqual([second, first]);
    expect(readDeviceList(ctx, 1).total).toBe(2);
    await expect(findingsOf(ctx)).resolves.toEqual([]);
  });

  test('can replace a device with a revoked key', async () => {
    const { ctx, old, own, other } = await aDoubledDay();
    revoke(ctx, old, 'revoked');

    const again = await replace(ctx, old, { by: await renewed(own) });

    expect(standing(ctx)).toEqual(asIfOne(ctx, [old, own, again], [other]));
    expect(
      readOperatorKeys(ctx, 'ada')
        .keys.map((key) => key.revoked_reason)
        .sort(),
    ).toEqual(['revoked', 'rotated', null, null].sort());
    await expect(findingsOf(ctx)).resolves.toEqual([]);
  });

  test('leaves the installation of the replaced one free for a new device', async () => {
    const { ctx, old, own, other } = await aDoubledDay();
    const again = await replace(ctx, old, { by: await renewed(own) });
    const { public_id } = idsOf(ctx, again);
    ctx.clock.nowMs += DAY_MS;

    const back = await replace(ctx, again, { by: await renewed(old) });

    expect(standing(ctx)).toEqual(asIfOne(ctx, [old, own, again, back], [other]));
    const [device] = readDeviceList(ctx, 1).devices;
    expect(device?.replaced.map(({ id }) => id)).toContain(public_id);
    await expect(submit(ctx, again, [])).rejects.toThrow(refusal('key_revoked'));
    await expect(findingsOf(ctx)).resolves.toEqual([]);
  });

  test.each(['hold', 'reject', 'withdraw'] as const)(
    'omits counts of the replaced device that do not count: %s',
    async (kind) => {
      const { ctx, old, own, other } = await aDoubledDay();
      const { answer } = await submit(ctx, old, [aBucket({ day: DAY, output: 90_000 })]);
      if (kind === 'withdraw') await withdraw(ctx, answer.id);
      else decideSubmission(ctx, { kind, id: answer.id, reason: 'A reason' });

      const again = await replace(ctx, old, { by: await renewed(own) });

      expect(standing(ctx)).toEqual(asIfOne(ctx, [old, own, again], [other]));
      if (kind === 'hold') {
        decideSubmission(ctx, { kind: 'release', id: answer.id, reason: 'A reason' });
        expect(standing(ctx)).toEqual(asIfOne(ctx, [old, own, again], [other]));
        expect(standing(ctx).join()).toContain('90000');
      }
      await expect(findingsOf(ctx)).resolves.toEqual([]);
    },
  );

  test('can have a submission of the replaced one withdrawn later', async () => {
    const { ctx, old, own, other } = await aDoubledDay();
    const { answer } = await submit(ctx, old, [aBucket({ day: DAY, output: 90_000 })]);
    const again = await replace(ctx, old, { by: await renewed(own) });
    const before = standing(ctx);

    await withdraw(ctx, answer.id);

    expect(standing(ctx)).not.toEqual(before);
    expect(standing(ctx)).toEqual(asIfOne(ctx, [old, own, again], [other]));
    await expect(findingsOf(ctx)).resolves.toEqual([]);
  });

  test('withdraws the submissions of both, if it is compromised', async () => {
    const { ctx, old, own, other } = await aDoubledDay();
    const again = await replace(ctx, old, { by: await renewed(own) });

    revoke(ctx, again, 'compromised');

    expect(standing(ctx)).toHaveLength(1);
    expect(standing(ctx)).toEqual(asIfOne(ctx, [other]));
    expect(
      readOperatorKeys(ctx, 'ada')
        .keys.map((key) => key.revoked_reason)
        .sort(),
    ).toEqual(['compromised', 'compromised', 'compromised', null]);
    await expect(findingsOf(ctx)).resolves.toEqual([]);
  });

  test('can itself have been compromised before it was enrolled again', async () => {
    const { ctx, old, own, other } = await aDoubledDay();
    revoke(ctx, own, 'compromised');
    const again = await renewed(own);
    await enroll(ctx, { id: 1 }, again);
    await submit(ctx, again, [aBucket({ day: DAY, output: 50 })]);

    const last = await replace(ctx, again);
    await replace(ctx, old, { by: await renewed(last) });

    expect(standing(ctx)).toEqual(asIfOne(ctx, [old, own, again, last], [other]));
    await expect(findingsOf(ctx)).resolves.toEqual([]);
  });

  test('shares responses with a third device as one device does', async () => {
    const ctx = testContext();
    const old = await anEnrolledDevice(ctx, 'ada');
    const own = await anEnrolledDevice(ctx, 'ada');
    const other = await anEnrolledDevice(ctx, 'ada');
    const stated = (from: number, to: number) =>
      aBucket({
        day: DAY,
        input: 10 * (to - from),
        output: 100 * (to - from),
        fingerprint: fingerprintOfResponses(from, to),
      });
    await submit(ctx, old, [stated(0, 10)]);
    await submit(ctx, other, [stated(6, 14)]);
    await submit(ctx, own, [stated(4, 15)]);
    const before = standing(ctx);

    const again = await replace(ctx, old, { by: await renewed(own) });

    expect(standing(ctx)).toHaveLength(2);
    expect(before).toHaveLength(3);
    expect(standing(ctx)).toEqual(asIfOne(ctx, [old, own, again], [other]));
    await expect(findingsOf(ctx)).resolves.toEqual([]);
  });

  test('is deleted with its account, including the devices that it replaced', async () => {
    const { ctx, old, own } = await aDoubledDay();
    await replace(ctx, old, { by: await renewed(own) });

    await deleteAccount(ctx, 1, 'ada');

    expect(query(ctx, 'SELECT 1 FROM devices')).toEqual([]);
    expect(query(ctx, 'SELECT 1 FROM device_keys')).toEqual([]);
    await expect(findingsOf(ctx)).resolves.toEqual([]);
  });

  test("appears in its owner's export with the devices it replaced", async () => {
    const { ctx, old, own } = await aDoubledDay();
    const replaced = idsOf(ctx, old).public_id;
    const again = await replace(ctx, old, { by: await renewed(own) });
    const { public_id } = idsOf(ctx, again);

    const text = [...exportAccount(ctx, 1)].join('');

    const { devices, buckets } = AccountExport.parse(JSON.parse(text));
    expect(devices.find(({ id }) => id === replaced)).toMatchObject({
      replaced_by: public_id,
      replaced_at: ctx.now().toISOString(),
      installation_id: null,
      keys: [],
    });
    expect(devices.find(({ id }) => id === public_id)?.keys).toHaveLength(3);
    expect(devices.find(({ id }) => id === public_id)?.replaced_by).toBeNull();
    expect(buckets.map(({ device }) => device)).not.toContain(replaced);
  });

  test('counts once if a third device reports the same', async () => {
    const { ctx, old, own, other } = await aDoubledDay();
    await submit(ctx, other, [aBucket({ day: DAY, output: 20_400 })]);

    const again = await replace(ctx, old, { by: await renewed(own) });

    expect(standing(ctx)).toEqual(asIfOne(ctx, [old, own, again], [other]));
    await expect(findingsOf(ctx)).resolves.toEqual([]);
  });
});
