import { describe, expect, test } from 'vitest';
import type { EnrollmentRequest } from '#core/contract/devices.ts';
import { Enrollment } from '#core/contract/devices.ts';
import { createEnrollmentCode } from '#server/device/create-enrollment-code.ts';
import { enrollDevice } from '#server/device/enroll-device.ts';
import { readDevices } from '#server/device/devices.ts';
import { MINUTE_MS, NOW, type TestDevice, aDevice } from '#tests/support/board/builders.ts';
import {
  type TestContext,
  anEnrolledDevice,
  anEnrollmentRequest,
  anOperator,
  dumpOf,
  query,
  submit,
  testContext,
} from '#tests/support/board/context.ts';

/** Enrolls with a code, which may already be used or belong to another account. */
async function enrollWith(
  ctx: TestContext,
  device: TestDevice,
  code: string,
  over: Partial<EnrollmentRequest> = {},
) {
  return enrollDevice(ctx, await anEnrollmentRequest(ctx, device, code, over));
}

async function aScene() {
  const ctx = testContext();
  const operator = anOperator(ctx, 'ada');
  const { code } = createEnrollmentCode(ctx, operator.id);
  return { ctx, operator, code, device: await aDevice() };
}

interface LogRow {
  kind: string;
  payload: Buffer;
}

/** The log's entries of operators: kind and payload. */
function log(ctx: TestContext): [string, unknown][] {
  const rows = query<LogRow>(
    ctx,
    'SELECT kind, payload FROM log_entries WHERE operator_id IS NOT NULL ORDER BY log_index',
  );
  return rows.map(({ kind, payload }) => [kind, JSON.parse(payload.toString()) as unknown]);
}

describe('createEnrollmentCode()', () => {
  test('stores only the hash of the code', async () => {
    const { ctx, code } = await aScene();

    expect(code).toMatch(/^[0-9A-Z]{5}-[0-9A-Z]{5}-[0-9A-Z]{5}$/);
    expect(JSON.stringify(dumpOf(ctx))).not.toContain(code.slice(0, 11));
    expect(JSON.stringify(dumpOf(ctx))).not.toContain(code.replaceAll('-', ''));
  });

  test('lasts ten minutes and differs each time', () => {
    const ctx = testContext();
    const { id } = anOperator(ctx, 'ada');

    const [first, second] = [createEnrollmentCode(ctx, id), createEnrollmentCode(ctx, id)];

    expect(first.code).not.toBe(second.code);
    expect(Date.parse(first.expires_at) - ctx.clock.nowMs).toBe(10 * MINUTE_MS);
  });
});

describe('enrollDevice()', () => {
  test('returns the device, the codename and the board', async () => {
    const { ctx, code, device } = await aScene();

    const { created, enrollment } = await enrollWith(ctx, device, code);

    expect(created).toBe(true);
    expect(Enrollment.parse(enrollment)).toEqual(enrollment);
    expect(enrollment).toMatchObject({
      codename: 'ada',
      device: { label: 'Laptop', keyid: device.keyid, enrolled_at: NOW, revoked_at: null },
      board: { name: 'Test board', base_url: ctx.config.baseUrl, keyid: ctx.boardKey.keyid },
    });
  });

  test('enters the account and the key in the log', async () => {
    const { ctx, operator, code, device } = await aScene();

    const { enrollment } = await enrollWith(ctx, device, code);

    const { public_id, codename } = operator;
    const { keyid, public_key } = device;
    expect(log(ctx)).toEqual([
      [
        'visibility',
        { operator: public_id, codename, privacy_mode: 'pseudonymous', data_opt_out: false },
      ],
      ['enroll', { operator: public_id, device: enrollment.device.id, keyid, public_key }],
    ]);
  });

  test('enters the account once for several devices', async () => {
    const ctx = testContext();
    await anEnrolledDevice(ctx, 'ada');
    await anEnrolledDevice(ctx, 'ada');

    expect(log(ctx).map(([kind]) => kind)).toEqual(['visibility', 'enroll', 'enroll']);
    expect(readDevices(ctx, 1)).toHaveLength(2);
  });

  test('accepts a code as people type it', async () => {
    const { ctx, code, device } = await aScene();
    const request = await anEnrollmentRequest(ctx, device, code);

    const typed = ` ${code.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o')} `;

    await expect(enrollDevice(ctx, { ...request, code: typed })).resolves.toMatchObject({
      created: true,
    });
  });

  test('returns the same response for the same code and key, and changes nothing', async () => {
    const { ctx, code, device } = await aScene();
    const first = await enrollWith(ctx, device, code);
    const before = dumpOf(ctx);

    const again = await enrollWith(ctx, device, code);

    expect(again).toEqual({ ...first, created: false });
    expect(dumpOf(ctx)).toEqual(before);
  });

  test('lets only one of two keys use a code at the same time', async () => {
    const { ctx, code, device } = await aScene();
    const other = await aDevice();

    const requests = [
      await anEnrollmentRequest(ctx, device, code),
      await anEnrollmentRequest(ctx, other, code),
    ];

    const settled = await Promise.allSettled(requests.map((one) => enrollDevice(ctx, one)));

    expect(settled.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(readDevices(ctx, 1)).toHaveLength(1);
  });

  test('gives an installation that enrolls again its new key, and revokes the old one', async () => {
    const { ctx, operator, code, device } = await aScene();
    const first = await enrollWith(ctx, device, code);
    const renewed = await aDevice(device.installation_id);
    const second = createEnrollmentCode(ctx, operator.id).code;
    ctx.clock.nowMs += 1;

    const { enrollment } = await enrollWith(ctx, renewed, second, { label: 'Desk' });

    expect(enrollment.device).toMatchObject({
      id: first.enrollment.device.id,
      label: 'Desk',
      keyid: renewed.keyid,
    });
    expect(readDevices(ctx, operator.id)).toHaveLength(1);
    await expect(submit(ctx, device, [])).rejects.toMatchObject({ code: 'key_revoked' });
    expect(log(ctx).map(([kind]) => kind)).toEqual(['visibility', 'enroll', 'revoke', 'enroll']);
    expect(log(ctx)[2]?.[1]).toMatchObject({ keyid: device.keyid, reason: 'rotated' });
  });

  test('creates another device for the installation in another account', async () => {
    const { ctx, code, device } = await aScene();
    await enrollWith(ctx, device, code);
    const other = anOperator(ctx, 'bob');
    const renewed = await aDevice(device.installation_id);

    await enrollWith(ctx, renewed, createEnrollmentCode(ctx, other.id).code);

    expect(readDevices(ctx, 1)).toMatchObject([{ keyid: device.keyid, revoked_at: null }]);
    expect(readDevices(ctx, other.id)).toMatchObject([{ keyid: renewed.keyid }]);
  });

  test('throws enrollment_code_invalid for a code that another key used', async () => {
    const { ctx, code, device } = await aScene();
    await enrollWith(ctx, device, code);
    const before = dumpOf(ctx);

    await expect(enrollWith(ctx, await aDevice(), code)).rejects.toMatchObject({
      code: 'enrollment_code_invalid',
    });
    expect(dumpOf(ctx)).toEqual(before);
  });

  test('throws enrollment_code_invalid ten minutes after the code was created', async () => {
    const { ctx, code, device } = await aScene();
    ctx.clock.nowMs += 10 * MINUTE_MS;

    await expect(enrollWith(ctx, device, code)).rejects.toMatchObject({
      code: 'enrollment_code_invalid',
    });
    ctx.clock.nowMs -= 1;
    await expect(enrollWith(ctx, device, code)).resolves.toMatchObject({ created: true });
  });

  test.each(['00000-00000-00000', '', 'x', "' OR 1=1 --"])(
    'throws enrollment_code_invalid for the unknown code %j',
    async (code) => {
      const { ctx, device } = await aScene();

      await expect(enrollWith(ctx, device, code)).rejects.toMatchObject({
        code: 'enrollment_code_invalid',
      });
    },
  );

  test('throws key_known for a key of another account', async () => {
    const { ctx, code, device } = await aScene();
    await enrollWith(ctx, device, code);
    const { code: foreign } = createEnrollmentCode(ctx, anOperator(ctx, 'bob').id);

    await expect(enrollWith(ctx, device, foreign)).rejects.toMatchObject({ code: 'key_known' });
    expect(log(ctx)).toHaveLength(2);
  });

  test('returns the same response for a key of the account with a new code, and uses the code', async () => {
    const { ctx, operator, code, device } = await aScene();
    const first = await enrollWith(ctx, device, code);
    const { code: later } = createEnrollmentCode(ctx, operator.id);

    const again = await enrollWith(ctx, device, later);

    expect(again).toEqual({ created: false, enrollment: first.enrollment });
    expect(log(ctx)).toHaveLength(2);
    await expect(enrollWith(ctx, await aDevice(), later)).rejects.toMatchObject({
      code: 'enrollment_code_invalid',
    });
  });

  test('throws key_known for a key that was revoked', async () => {
    const { ctx, operator, code, device } = await aScene();
    await enrollWith(ctx, device, code);
    ctx.store.devices.revokeKey(device.keyid, 'revoked', NOW);

    await expect(
      enrollWith(ctx, device, createEnrollmentCode(ctx, operator.id).code),
    ).rejects.toMatchObject({ code: 'key_known' });
  });

  test.each<[string, Partial<EnrollmentRequest>]>([
    ['public_key_invalid', { public_key: 'A'.repeat(43) }],
    ['proof_invalid', { installation_id: '6f0f6a4e-0000-4000-8000-000000000000' }],
  ])(
    'throws %s for a proof that does not match the request, and keeps the code valid',
    async (refused, over) => {
      const { ctx, code, device } = await aScene();
      const before = dumpOf(ctx);

      await expect(enrollWith(ctx, device, code, over)).rejects.toMatchObject({ code: refused });

      expect(dumpOf(ctx)).toEqual(before);
      await expect(enrollWith(ctx, device, code)).resolves.toMatchObject({ created: true });
    },
  );

  test('throws proof_invalid for a proof for another code', async () => {
    const { ctx, operator, code, device } = await aScene();
    const other = createEnrollmentCode(ctx, operator.id).code;
    const { proof } = await anEnrollmentRequest(ctx, device, other);

    await expect(enrollWith(ctx, device, code, { proof })).rejects.toMatchObject({
      code: 'proof_invalid',
    });
  });
});
