import { expect, test } from 'vitest';
import { anActive } from '#tests/support/boards.ts';
import { aBucket, bucketsOfDays } from '#tests/support/builders.ts';
import { anEnrolledDevice, submit, testContext } from '#tests/support/context.ts';

test('an operator states at most 100,000 buckets, on all devices together', async () => {
  const ctx = testContext();
  const years = Array.from({ length: 100 }, (_, at) =>
    bucketsOfDays(1000, '2023-06-01', { model: `model ${at}` }),
  );
  anActive(ctx, 'ada', years.flat());
  const device = await anEnrolledDevice(ctx, 'ada');
  const bucket = aBucket({ day: '2026-03-02' });

  await expect(submit(ctx, device, [bucket])).rejects.toMatchObject({ code: 'too_many_sources' });
  expect(ctx.store.buckets.totals(1).standing).toBe(100_000);
});
