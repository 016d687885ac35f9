import { expect, test } from 'vitest';
import { LIMITS, type LimitName } from '#core/contract/limits.ts';
import { RateLimiter } from '#server/process/rate-limit.ts';
import { aBucket } from '#tests/support/board/builders.ts';
import { anEnrolledDevice, query, submit, testContext } from '#tests/support/board/context.ts';

/** A board with a changed quota. */
function aBoard(policy: LimitName, quota: number) {
  const ctx = testContext();
  const limits = { ...LIMITS, [policy]: { ...LIMITS[policy], quota } };
  ctx.limiter = new RateLimiter(limits, () => ctx.now().getTime());
  return ctx;
}

const quotaOf = (policy: LimitName) =>
  expect.objectContaining({
    code: 'quota_exceeded',
    count: expect.objectContaining({ policy }) as unknown,
  }) as Error;

test.each<LimitName>(['snapshots', 'writes'])('%s are counted by operator', async (policy) => {
  const ctx = aBoard(policy, 2);
  const first = await anEnrolledDevice(ctx, 'ada');
  const second = await anEnrolledDevice(ctx, 'ada');
  const other = await anEnrolledDevice(ctx, 'grace');
  await submit(ctx, first, [aBucket()]);
  await submit(ctx, second, [aBucket()]);

  await expect(submit(ctx, first, [aBucket()])).rejects.toThrow(quotaOf(policy));
  await expect(submit(ctx, other, [aBucket()])).resolves.toMatchObject({ created: true });
  expect(query(ctx, 'SELECT * FROM submissions')).toHaveLength(3);
});

test('snapshots are also counted by device', async () => {
  const ctx = aBoard('device', 1);
  const first = await anEnrolledDevice(ctx, 'ada');
  const second = await anEnrolledDevice(ctx, 'ada');
  await submit(ctx, first, [aBucket()]);

  await expect(submit(ctx, first, [aBucket()])).rejects.toThrow(quotaOf('device'));
  await expect(submit(ctx, second, [aBucket()])).resolves.toMatchObject({ created: true });
});

test('the bytes of snapshots are counted by device too', async () => {
  const ctx = aBoard('device_bytes', 1500);
  const device = await anEnrolledDevice(ctx, 'ada');
  await submit(ctx, device, [aBucket()]);

  await expect(submit(ctx, device, [aBucket()])).rejects.toThrow(quotaOf('device_bytes'));
  ctx.clock.nowMs += LIMITS.device_bytes.windowSeconds * 1000;
  await expect(submit(ctx, device, [aBucket()])).resolves.toMatchObject({ created: true });
});

test.each<[LimitName, number]>([
  ['account', 1],
  ['account_bytes', 1500],
])('all devices of an account together are counted by %s', async (policy, quota) => {
  const ctx = aBoard(policy, quota);
  const first = await anEnrolledDevice(ctx, 'ada');
  const second = await anEnrolledDevice(ctx, 'ada');
  await submit(ctx, first, [aBucket()]);

  await expect(submit(ctx, second, [aBucket()])).rejects.toThrow(quotaOf(policy));
});

test.each<LimitName>(['snapshots', 'device', 'account'])(
  'a rejected snapshot does not count by %s',
  async (policy) => {
    const ctx = aBoard(policy, 1);
    const device = await anEnrolledDevice(ctx, 'ada');
    for (let tries = 0; tries < 4; tries += 1) {
      await expect(submit(ctx, device, [aBucket({ day: '2027-01-01' })])).rejects.toMatchObject({
        code: 'day_out_of_range',
      });
    }

    await expect(submit(ctx, device, [aBucket()])).resolves.toMatchObject({ created: true });
    await expect(submit(ctx, device, [aBucket()])).rejects.toThrow(quotaOf(policy));
  },
);

test('rejected snapshots count as writes, so that their work is limited', async () => {
  const ctx = aBoard('writes', 2);
  const device = await anEnrolledDevice(ctx, 'ada');
  const refused = () => submit(ctx, device, [aBucket({ day: '2027-01-01' })]);
  await expect(refused()).rejects.toMatchObject({ code: 'day_out_of_range' });
  await expect(refused()).rejects.toMatchObject({ code: 'day_out_of_range' });

  await expect(refused()).rejects.toThrow(quotaOf('writes'));
});

test('large rejected snapshots count like accepted ones, because they cost as much', async () => {
  const ctx = aBoard('snapshots', 1);
  const device = await anEnrolledDevice(ctx, 'ada');
  const days = Array.from({ length: 150 }, (_, at) =>
    aBucket({ day: '2027-01-01', model: `m${at}` }),
  );
  await expect(submit(ctx, device, days)).rejects.toMatchObject({ code: 'day_out_of_range' });

  await expect(submit(ctx, device, [aBucket()])).rejects.toThrow(quotaOf('snapshots'));
});
