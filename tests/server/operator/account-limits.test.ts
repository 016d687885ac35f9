import { describe, expect, test } from 'vitest';
import { ACCOUNT_LIMITS, LIMITS } from '#core/contract/limits.ts';
import { contactAdmin } from '#server/messages/contact-admin.ts';
import { createEnrollmentCode } from '#server/device/create-enrollment-code.ts';
import { RateLimiter } from '#server/process/rate-limit.ts';
import { aBucket, aDevice } from '#tests/support/board/builders.ts';
import {
  type TestContext,
  anEnrolledDevice,
  anOperator,
  enroll,
  execute,
  query,
  submit,
  testContext,
} from '#tests/support/board/context.ts';

/** Adds devices with keys, as if they had been enrolled one by one. */
function addDevices(ctx: TestContext, operator: number, count: number, revoked: string | null) {
  const reason = revoked === null ? 'NULL' : `'logout'`;
  const at = revoked === null ? 'NULL' : `'${revoked}'`;
  execute(
    ctx,
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
     INSERT INTO devices (public_id, operator_id, trust, installation_id, label, created_at)
       SELECT 'made-' || i, ${operator}, 'signed', 'made-' || i, 'x', '2026-03-01' FROM n;
     INSERT INTO device_keys (keyid, device_id, public_key, enrolled_at, revoked_at, revoked_reason)
       SELECT 'key-' || id, id, zeroblob(32), '2026-03-01', ${at}, ${reason}
       FROM devices WHERE public_id LIKE 'made-%';`,
  );
}

describe('devices of an account', () => {
  test('are limited to 50 active ones, and revoking one makes room', async () => {
    const ctx = testContext();
    const operator = anOperator(ctx, 'ada');
    const mine = await anEnrolledDevice(ctx, 'ada');
    addDevices(ctx, operator.id, 49, null);

    await expect(enroll(ctx, operator, await aDevice())).rejects.toMatchObject({
      code: 'account_limit_reached',
      message: expect.stringMatching(/50 active devices.* Revoke/),
    });
    // Enrolling the same installation again replaces its key.
    const again = await aDevice(mine.installation_id);
    await expect(enroll(ctx, operator, again)).resolves.toMatchObject({ created: true });
    ctx.store.devices.revokeKey(again.keyid, 'revoked', '2026-03-10T12:00:00.000Z');
    await expect(enroll(ctx, operator, await aDevice())).resolves.toMatchObject({ created: true });
  });

  test('have at most 1,000 keys, even if all of them are revoked', async () => {
    const ctx = testContext();
    const operator = anOperator(ctx, 'ada');
    addDevices(ctx, operator.id, 999, '2026-03-02');
    await expect(enroll(ctx, operator, await aDevice())).resolves.toMatchObject({ created: true });

    await expect(enroll(ctx, operator, await aDevice())).rejects.toMatchObject({
      code: 'account_limit_reached',
      message: expect.stringMatching(/1000 keys.*revoked/),
    });
  });

  test('get at most 50 new keys a day', async () => {
    const ctx = testContext();
    const limits = { ...LIMITS, enroll_account: { ...LIMITS.enroll_account, quota: 1 } };
    ctx.limiter = new RateLimiter(limits, () => ctx.now().getTime());
    const operator = anOperator(ctx, 'ada');
    await enroll(ctx, operator, await aDevice());

    await expect(enroll(ctx, operator, await aDevice())).rejects.toMatchObject({
      code: 'quota_exceeded',
    });
    ctx.clock.nowMs += LIMITS.enroll_account.windowSeconds * 1000;
    await expect(enroll(ctx, operator, await aDevice())).resolves.toMatchObject({ created: true });
  });
});

test('submissions of an account fill at most 512 MiB', async () => {
  const ctx = testContext();
  const device = await anEnrolledDevice(ctx, 'ada');
  await submit(ctx, device, [aBucket()]);
  const { most } = ACCOUNT_LIMITS.stored_bytes;
  execute(ctx, `UPDATE operators SET logged_bytes = ${most} WHERE id = 1`);

  await expect(submit(ctx, device, [aBucket({ day: '2026-03-02' })])).rejects.toMatchObject({
    code: 'account_limit_reached',
  });
  expect(query(ctx, 'SELECT day FROM buckets')).toEqual([{ day: '2026-03-01' }]);
});

test('old codes and messages to the admin make room for new ones', () => {
  const ctx = testContext();
  const { id } = anOperator(ctx, 'ada');
  const limits = { ...LIMITS, contact: { ...LIMITS.contact, quota: 1000 } };
  ctx.limiter = new RateLimiter(limits, () => ctx.now().getTime());
  for (let at = 0; at < 205; at += 1) {
    createEnrollmentCode(ctx, id);
    contactAdmin(ctx, id, { subject: `Number ${at}`, message: 'Hello' });
    ctx.clock.nowMs += 1;
  }

  expect(query(ctx, 'SELECT 1 FROM enrollment_codes')).toHaveLength(20);
  const subjects = query<{ subject: string }>(
    ctx,
    'SELECT subject FROM contact_messages ORDER BY created_at',
  );
  expect([subjects.length, subjects[0]?.subject]).toEqual([200, 'Number 5']);
});
