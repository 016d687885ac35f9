import { describe, expect, test } from 'vitest';
import { revokeDevice } from '#server/device/revoke-device.ts';
import { readDevices } from '#server/device/devices.ts';
import { NOW, type TestDevice, aBucket } from '#tests/support/board/builders.ts';
import {
  type TestContext,
  anEnrolledDevice,
  dumpOf,
  query,
  submit,
  testContext,
} from '#tests/support/board/context.ts';
import { refusal } from '#tests/support/http/refusal.ts';

/** Three devices: two of ada, one of bob. */
async function aScene() {
  const ctx = testContext();
  const devices = [
    await anEnrolledDevice(ctx, 'ada'),
    await anEnrolledDevice(ctx, 'ada'),
    await anEnrolledDevice(ctx, 'bob'),
  ] as const;
  return { ctx, devices };
}

function idsOf(ctx: TestContext, device: TestDevice) {
  const key = ctx.store.devices.key(device.keyid);
  const { public_id = '' } = ctx.store.devices.byId(key?.device_id ?? 0) ?? {};
  return {
    public_id,
    caller: { operator_id: key?.operator_id ?? 0, device_id: key?.device_id ?? 0 },
  };
}

const lastEntry = (ctx: TestContext) => {
  const [row] = query<{ payload: Buffer }>(
    ctx,
    `SELECT payload FROM log_entries WHERE kind = 'revoke' ORDER BY log_index DESC`,
  );
  return JSON.parse(row?.payload.toString() ?? 'null') as unknown;
};

describe('revokeDevice()', () => {
  test('lets a device revoke itself, which ends its submissions and enters the log', async () => {
    const { ctx, devices } = await aScene();
    const { public_id, caller } = idsOf(ctx, devices[0]);
    await submit(ctx, devices[0], [aBucket()]);

    const revoked = revokeDevice(ctx, caller, public_id);

    expect(revoked).toMatchObject({ id: public_id, revoked_at: NOW, last_submission_at: NOW });
    expect(lastEntry(ctx)).toMatchObject({
      device: public_id,
      keyid: devices[0].keyid,
      reason: 'logout',
    });
    await expect(submit(ctx, devices[0], [aBucket()])).rejects.toMatchObject({
      code: 'key_revoked',
    });
    expect(query(ctx, 'SELECT 1 FROM buckets WHERE counts = 1')).toHaveLength(1);
  });

  test('lets a signed-in operator revoke any of their devices', async () => {
    const { ctx, devices } = await aScene();
    const { public_id, caller } = idsOf(ctx, devices[1]);

    revokeDevice(ctx, { ...caller, device_id: null }, public_id);

    expect(lastEntry(ctx)).toMatchObject({ reason: 'revoked' });
    expect(ctx.store.accountEvents.ofOperator(1)).toMatchObject([
      { kind: 'device_revoked', detail: readDevices(ctx, 1)[1]?.label },
      { kind: 'device_enrolled' },
      { kind: 'device_enrolled' },
    ]);
    expect(readDevices(ctx, 1).map(({ keyid }) => keyid)).toEqual([
      devices[0].keyid,
      devices[1].keyid,
    ]);
  });

  test('throws not_found for another device of the same operator, by token', async () => {
    const { ctx, devices } = await aScene();
    const before = dumpOf(ctx);

    expect(() =>
      revokeDevice(ctx, idsOf(ctx, devices[0]).caller, idsOf(ctx, devices[1]).public_id),
    ).toThrow(refusal('not_found'));
    expect(dumpOf(ctx)).toEqual(before);
  });

  test("throws not_found for another operator's device, by session", async () => {
    const { ctx, devices } = await aScene();
    const session = { ...idsOf(ctx, devices[0]).caller, device_id: null };
    const before = dumpOf(ctx);

    expect(() => revokeDevice(ctx, session, idsOf(ctx, devices[2]).public_id)).toThrow(
      refusal('not_found'),
    );
    expect(dumpOf(ctx)).toEqual(before);
  });

  test.each(['', 'x', '1', '6f0f6a4e-0000-4000-8000-000000000000'])(
    'throws not_found for the id %j',
    async (id) => {
      const { ctx, devices } = await aScene();

      expect(() => revokeDevice(ctx, idsOf(ctx, devices[0]).caller, id)).toThrow(
        refusal('not_found'),
      );
    },
  );

  test('returns the same response when repeated, and enters nothing', async () => {
    const { ctx, devices } = await aScene();
    const { public_id, caller } = idsOf(ctx, devices[0]);
    const session = { ...caller, device_id: null };
    const first = revokeDevice(ctx, session, public_id);
    const before = dumpOf(ctx);
    ctx.clock.nowMs += 1;

    expect(revokeDevice(ctx, session, public_id)).toEqual(first);
    expect(dumpOf(ctx)).toEqual(before);
  });
});
