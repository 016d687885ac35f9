import { describe, expect, test } from 'vitest';
import { KnownDevices } from '#core/contract/devices.ts';
import { createEnrollmentCode } from '#server/device/create-enrollment-code.ts';
import { enrollDevice } from '#server/device/enroll-device.ts';
import { revokeDevice } from '#server/device/revoke-device.ts';
import { readKnownDevices } from '#server/device/devices.ts';
import { changeVisibility } from '#server/operator/visibility.ts';
import {
  DAY_MS,
  MINUTE_MS,
  NOW,
  aBucket,
  aDevice,
  bucketsOfDays,
} from '#tests/support/board/builders.ts';
import {
  type TestContext,
  anEnrolledDevice,
  anEnrollmentRequest,
  anOperator,
  dumpOf,
  submit,
  testContext,
} from '#tests/support/board/context.ts';
import { fingerprintOfResponses } from '#tests/support/board/fingerprints.ts';
import { refusal } from '#tests/support/http/refusal.ts';
import { idsOf, renewed, replace } from '#tests/support/board/replacing.ts';

/** The response for a new device of the first account. */
function known(ctx: TestContext) {
  return readKnownDevices(ctx, createEnrollmentCode(ctx, 1).code).devices;
}

describe('readKnownDevices()', () => {
  test('lists the counts of each device by day and tool, newest day first', async () => {
    const ctx = testContext();
    const device = await anEnrolledDevice(ctx, 'ada');
    const day = '2026-03-01';
    await submit(ctx, device, [
      aBucket({ day, input: 1, output: 2, cache_write: 3, cache_read: 4 }),
      aBucket({ day, input: 10, output: 20, cache_write: null, cache_read: null, model: 'b' }),
      aBucket({ day: '2026-02-28', tool: 'codex', input: 5, output: 6 }),
    ]);
    ctx.clock.nowMs += DAY_MS;
    await submit(ctx, device, [
      aBucket({ day, input: 11, output: 20, cache_write: null, cache_read: null, model: 'b' }),
    ]);

    const devices = known(ctx);

    expect(KnownDevices.parse({ devices })).toEqual({ devices });
    expect(devices).toMatchObject([
      {
        id: idsOf(ctx, device).public_id,
        label: 'Laptop',
        enrolled_at: NOW,
        revoked_at: null,
        last_submission_at: ctx.now().toISOString(),
        days: [
          { day, tool: 'claude-code', total: 41, stated_at: ctx.now().toISOString() },
          { day: '2026-02-28', tool: 'codex', stated_at: NOW },
        ],
      },
    ]);
  });

  test('lists counts that a device reported even if they do not count', async () => {
    const ctx = testContext();
    const first = await anEnrolledDevice(ctx, 'ada');
    const second = await anEnrolledDevice(ctx, 'ada');
    const same = aBucket({ input: 100, output: 200, cache_write: null, cache_read: null });
    await submit(ctx, first, [same]);
    await submit(ctx, second, [same]);

    expect(known(ctx).map(({ days }) => days[0]?.total)).toEqual([300, 300]);
    const shared = { ...same, input: 200, fingerprint: fingerprintOfResponses(0, 10) };
    await submit(ctx, first, [shared]);
    await submit(ctx, second, [{ ...shared, fingerprint: fingerprintOfResponses(5, 15) }]);
    const [counted] = ctx.store.buckets.ofDays({ operator_id: 1, from: '', to: '9' }).slice(1);
    expect(counted?.counted.output).toBe(100);
    expect(known(ctx).map(({ days }) => days[0]?.total)).toEqual([400, 400]);
  });

  test('lists at most 20 devices, most recently used first, including revoked ones', async () => {
    const ctx = testContext();
    const devices = [];
    for (let at = 0; at < 22; at += 1) devices.push(await anEnrolledDevice(ctx, 'ada'));
    const [used, revoked] = [devices[3], devices[5]] as const;
    if (!used || !revoked) throw new Error('There are 22');
    await submit(ctx, used, [aBucket()]);
    ctx.clock.nowMs += MINUTE_MS;
    await submit(ctx, revoked, [aBucket()]);
    const caller = { operator_id: 1, device_id: null };
    revokeDevice(ctx, caller, idsOf(ctx, revoked).public_id);

    const ids = known(ctx).map(({ id }) => id);

    expect(ids).toHaveLength(20);
    expect(ids.slice(0, 2)).toEqual([revoked, used].map((device) => idsOf(ctx, device).public_id));
    expect(known(ctx)[0]?.revoked_at).toBe(ctx.now().toISOString());
  });

  test('lists the latest 60 days and tools of a device', async () => {
    const ctx = testContext();
    const device = await anEnrolledDevice(ctx, 'ada');
    await submit(ctx, device, bucketsOfDays(65, '2026-01-01'));
    await submit(ctx, device, bucketsOfDays(1, '2026-03-06', { tool: 'codex' }));

    const [{ days = [] } = {}] = known(ctx);

    expect(days).toHaveLength(60);
    expect(days[0]?.day).toBe('2026-03-06');
    expect(days.at(-1)?.day).toBe('2026-01-07');
  });

  test('omits compromised and replaced devices, and devices of others', async () => {
    const ctx = testContext();
    const compromised = await anEnrolledDevice(ctx, 'ada');
    const old = await anEnrolledDevice(ctx, 'ada');
    await submit(ctx, await anEnrolledDevice(ctx, 'bob'), [aBucket()]);
    await submit(ctx, old, [aBucket({ day: '2026-03-01', input: 9 })]);
    const caller = { operator_id: 1, device_id: null };
    revokeDevice(ctx, caller, idsOf(ctx, compromised).public_id, 'compromised');
    const own = await replace(ctx, old);

    const devices = known(ctx);

    expect(devices.map(({ id }) => id)).toEqual([idsOf(ctx, own).public_id]);
    expect(devices[0]?.days).toMatchObject([{ day: '2026-03-01' }]);
  });

  test('works for private accounts and for accounts without devices', async () => {
    const ctx = testContext();
    const { id } = anOperator(ctx, 'ada');
    expect(known(ctx)).toEqual([]);
    await anEnrolledDevice(ctx, 'ada');
    ctx.store.transaction(() => changeVisibility(ctx, id, { privacy_mode: 'private' }));

    expect(known(ctx)).toHaveLength(1);
  });

  test('does not use the code', async () => {
    const ctx = testContext();
    const device = await anEnrolledDevice(ctx, 'ada');
    const { code } = createEnrollmentCode(ctx, 1);
    const before = dumpOf(ctx);

    readKnownDevices(ctx, ` ${code.toLowerCase()} `);

    expect(dumpOf(ctx)).toEqual(before);
    const request = await anEnrollmentRequest(ctx, await renewed(device), code);
    await expect(enrollDevice(ctx, request)).resolves.toMatchObject({ created: true });
  });

  test('rejects a code that is mistyped, already used or expired', async () => {
    const ctx = testContext();
    anOperator(ctx, 'ada');
    const [used, expired] = [createEnrollmentCode(ctx, 1), createEnrollmentCode(ctx, 1)];
    await enrollDevice(ctx, await anEnrollmentRequest(ctx, await aDevice(), used.code));

    for (const code of ['', 'x', '00000-00000-00000', used.code]) {
      expect(() => readKnownDevices(ctx, code)).toThrow(refusal('enrollment_code_invalid'));
    }
    expect(readKnownDevices(ctx, expired.code).devices).toHaveLength(1);
    ctx.clock.nowMs += 10 * MINUTE_MS;
    expect(() => readKnownDevices(ctx, expired.code)).toThrow(refusal('enrollment_code_invalid'));
  });
});
