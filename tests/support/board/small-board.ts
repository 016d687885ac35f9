import type { Bucket } from '#core/schema/usage.ts';
import { bucketsOfDays } from './builders.ts';
import { anEnrolledDevice, submit, type TestContext, testContext } from './context.ts';

/** An operator whose device submits these daily counts. */
export async function aSubmitter(ctx: TestContext, codename: string, buckets: Bucket[]) {
  const device = await anEnrolledDevice(ctx, codename);
  await submit(ctx, device, buckets);
  return device;
}

/** A board of five: three ranked, two of them in a tie, and two unranked. */
export async function aSmallBoard(): Promise<TestContext> {
  const ctx = testContext();
  await aSubmitter(ctx, 'eve', bucketsOfDays(20, '2026-02-15'));
  await aSubmitter(ctx, 'ada', bucketsOfDays(20, '2026-02-15', { output: 20_000 }));
  await aSubmitter(ctx, 'dan', bucketsOfDays(3, '2026-03-05'));
  await aSubmitter(ctx, 'bob', bucketsOfDays(20, '2026-02-15'));
  await aSubmitter(ctx, 'cat', bucketsOfDays(20, '2026-02-15', { cache_read: null }));
  return ctx;
}
