import { expect, test } from 'vitest';
import { composeRecord } from '#core/domain/metrics/record.ts';
import { LIMITS } from '#core/contract/limits.ts';
import { submitRecords, tryRecords } from '#server/submission/submit-records.ts';
import { submitSnapshot, trySnapshot } from '#server/submission/submit-snapshot.ts';
import { RateLimiter } from '#server/process/rate-limit.ts';
import { aBucket, anEnvelope, bucketsOfDays } from '#tests/support/board/builders.ts';
import {
  anEnrolledDevice,
  anOperator,
  dumpOf,
  submit,
  testContext,
} from '#tests/support/board/context.ts';

test('a dry run of a signed snapshot runs all checks, and stores nothing', async () => {
  const ctx = testContext();
  const limits = { ...LIMITS, snapshots: { ...LIMITS.snapshots, quota: 2 } };
  ctx.limiter = new RateLimiter(limits, () => ctx.now().getTime());
  const device = await anEnrolledDevice(ctx, 'ada');
  await submit(ctx, device, [aBucket()]);
  const before = dumpOf(ctx);
  // The first day has smaller counts than the stored ones.
  const records = bucketsOfDays(3, '2026-03-01', { output: 5 }).map(composeRecord);
  const text = JSON.stringify(await anEnvelope(device, { records }));

  for (let tries = 0; tries < 3; tries += 1) {
    expect(await trySnapshot(ctx, text)).toEqual({
      dry_run: true,
      already_stored: false,
      records: 3,
      counting: 2,
      days: 3,
      first_day: '2026-03-01',
      last_day: '2026-03-03',
      tools: ['claude-code'],
    });
    expect(dumpOf(ctx)).toEqual(before);
  }

  expect(await submitSnapshot(ctx, text)).toMatchObject({ created: true });
  await expect(trySnapshot(ctx, text)).rejects.toMatchObject({ code: 'quota_exceeded' });
  ctx.clock.nowMs += 60_000;
  expect(await trySnapshot(ctx, text)).toMatchObject({ already_stored: true, records: 3 });
});

test('a dry run returns the same error as submitting', async () => {
  const ctx = testContext();
  const device = await anEnrolledDevice(ctx, 'ada');
  const tools = Array.from({ length: 51 }, (_, at) => composeRecord(aBucket({ tool: `t${at}` })));
  const tooMany = JSON.stringify(await anEnvelope(device, { records: tools }));
  const wrong = JSON.stringify(await anEnvelope(device, { records: [tools[0], tools[0]] }));

  await expect(trySnapshot(ctx, tooMany)).rejects.toMatchObject({ code: 'too_many_sources' });
  await expect(trySnapshot(ctx, wrong)).rejects.toMatchObject({ code: 'bucket_duplicate' });
});

test('self-reports allow dry runs, which do not use the idempotency key', async () => {
  const ctx = testContext();
  const { id: operator_id } = anOperator(ctx, 'ada');
  const before = dumpOf(ctx);
  const text = JSON.stringify(composeRecord(aBucket()));
  const sent = { text, idempotencyKey: 'once' };

  expect(await tryRecords(ctx, { operator_id }, sent)).toMatchObject({ records: 1, counting: 1 });
  expect(dumpOf(ctx)).toEqual(before);
  expect(await submitRecords(ctx, { operator_id }, sent)).toMatchObject({ created: true });
  expect(await tryRecords(ctx, { operator_id }, sent)).toMatchObject({ already_stored: true });
});
