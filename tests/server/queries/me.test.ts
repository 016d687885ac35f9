import { describe, expect, test } from 'vitest';
import { Me } from '#core/contract/me.ts';
import { readMe } from '#server/queries/me.ts';
import { NOW, aBucket, bucketsOfDays } from '#tests/support/builders.ts';
import {
  anEnrolledDevice,
  anOperator,
  publish,
  submit,
  testContext,
} from '#tests/support/context.ts';
import { refusal } from '#tests/support/refusal.ts';

describe('readMe()', () => {
  test('tells rank or reasons for each window with tokens, shortest first', async () => {
    const ctx = testContext();
    const device = await anEnrolledDevice(ctx, 'ada');
    await submit(ctx, device, bucketsOfDays(8, '2026-02-15'));
    publish(ctx);

    const me = readMe(ctx, { operator_id: 1, device_id: 1 });

    expect(Me.parse(me)).toEqual(me);
    expect(me).toMatchObject({
      codename: 'ada',
      device: { keyid: device.keyid, last_submission_at: NOW },
      log_index: 5,
    });
    expect(me.standings.map(({ window, rank, total }) => [window, rank, total])).toEqual([
      ['30d', 1, 1],
      ['90d', null, 0],
      ['all_time', null, 0],
    ]);
    expect(me.standings[0]?.reasons).toEqual([]);
    expect(me.standings[1]?.reasons).toEqual([
      { code: 'active_days_low', required: 14, actual: 8 },
    ]);
  });

  test('shows nothing of others', async () => {
    const ctx = testContext();
    await submit(ctx, await anEnrolledDevice(ctx, 'bob'), [aBucket()]);
    const { id } = anOperator(ctx, 'ada');
    publish(ctx);

    expect(readMe(ctx, { operator_id: id, device_id: null })).toMatchObject({
      codename: 'ada',
      device: null,
      standings: [],
    });
  });

  test('throws not_found for an account that is gone, service_unavailable before a board', () => {
    const ctx = testContext();
    const { id } = anOperator(ctx, 'ada');

    expect(() => readMe(ctx, { operator_id: 99, device_id: null })).toThrow(refusal('not_found'));
    expect(() => readMe(ctx, { operator_id: id, device_id: null })).toThrow(
      refusal('service_unavailable'),
    );
  });
});
