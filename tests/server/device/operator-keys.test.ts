import { describe, expect, test } from 'vitest';
import { OperatorKeys } from '#core/contract/operators.ts';
import { readOperatorKeys } from '#server/device/devices.ts';
import { MINUTE_MS, NOW, aDevice } from '#tests/support/board/builders.ts';
import { anEnrolledDevice, anOperator, enroll, testContext } from '#tests/support/board/context.ts';
import { refusal } from '#tests/support/http/refusal.ts';

describe('readOperatorKeys()', () => {
  test('lists every key that a device ever had, newest first', async () => {
    const ctx = testContext();
    const ada = anOperator(ctx, 'ada');
    const first = await aDevice();
    await enroll(ctx, ada, first);
    await anEnrolledDevice(ctx, 'bob');
    ctx.clock.nowMs += MINUTE_MS;
    const rotated = await aDevice(first.installation_id);
    await enroll(ctx, ada, rotated);

    const keys = readOperatorKeys(ctx, 'ada');

    const later = new Date(ctx.clock.nowMs).toISOString();
    expect(OperatorKeys.parse(keys)).toEqual(keys);
    expect(keys).toEqual({
      codename: 'ada',
      total: 2,
      keys: [
        {
          keyid: rotated.keyid,
          public_key: rotated.public_key,
          enrolled_at: later,
          revoked_at: null,
          revoked_reason: null,
        },
        {
          keyid: first.keyid,
          public_key: first.public_key,
          enrolled_at: NOW,
          revoked_at: later,
          revoked_reason: 'rotated',
        },
      ],
    });
  });

  test('throws not_found for operators without log entries', () => {
    const ctx = testContext();
    anOperator(ctx, 'silent');

    expect(() => readOperatorKeys(ctx, 'silent')).toThrow(refusal('not_found'));
    expect(() => readOperatorKeys(ctx, 'nobody')).toThrow(refusal('not_found'));
  });
});
