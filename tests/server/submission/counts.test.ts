import { describe, expect, test } from 'vitest';
import { Counts, CountsQuery } from '#core/contract/counts.ts';
import { totalOf } from '#core/domain/counting/bucket.ts';
import type { Bucket } from '#core/schema/usage.ts';
import { submitRecords } from '#server/submission/submit-records.ts';
import { withdrawSubmission } from '#server/submission/withdraw-submission.ts';
import { readCounts } from '#server/submission/counts.ts';
import {
  type TestDevice,
  NOW,
  aBucket,
  aRecord,
  bucketsOfDays,
} from '#tests/support/board/builders.ts';
import {
  type TestContext,
  anEnrolledDevice,
  anOperator,
  submit,
  testContext,
} from '#tests/support/board/context.ts';
import { fingerprintOfResponses } from '#tests/support/board/fingerprints.ts';
import { refusal } from '#tests/support/http/refusal.ts';

function callerOf(ctx: TestContext, codename: string) {
  const operator_id = ctx.store.operators.byCodename(codename)?.id ?? 0;
  return { operator_id, device_id: null };
}

const list = (ctx: TestContext, over: Record<string, string> = {}, codename = 'ada') =>
  readCounts(ctx, callerOf(ctx, codename), CountsQuery.parse(over));

function idOf(ctx: TestContext, { keyid }: TestDevice): string {
  const device_id = ctx.store.devices.key(keyid)?.device_id ?? 0;
  return ctx.store.devices.byId(device_id)?.public_id ?? '';
}

/** A bucket with 1,000 tokens for each response in a range. */
function aBucketOfResponses(from: number, to: number, over: Partial<Bucket> = {}): Bucket {
  const responses = to - from;
  const pillars = { input: 200, output: 800, cache_write: 0, cache_read: 0 };
  const counts = Object.entries(pillars).map(([name, each]) => [name, each * responses]);
  const fingerprint = fingerprintOfResponses(from, to);
  return aBucket({ ...Object.fromEntries(counts), fingerprint, ...over });
}

describe('readCounts()', () => {
  test('lists what a device reported, when and in which submission', async () => {
    const ctx = testContext();
    const device = await anEnrolledDevice(ctx, 'ada');
    const { answer } = await submit(ctx, device, [aBucketOfResponses(0, 3, { cache_write: null })]);

    const page = await list(ctx);

    expect(Counts.parse(page)).toEqual(page);
    expect(page).toMatchObject({ total: 1, next_cursor: null });
    const pillars = { input: 600, output: 2_400, cache_write: null, cache_read: 0 };
    expect(page.entries).toEqual([
      {
        device: idOf(ctx, device),
        label: 'Laptop',
        day: '2026-03-01',
        tool: 'claude-code',
        provider: 'anthropic',
        model: aBucket().model,
        ...pillars,
        fingerprint: fingerprintOfResponses(0, 3),
        stated_at: NOW,
        submission: answer.id,
        counted: pillars,
        same_as: null,
      },
    ]);
  });

  test('lists how much of it counts, and the device on which the rest counts', async () => {
    const ctx = testContext();
    const [laptop, desktop, server] = [
      await anEnrolledDevice(ctx, 'ada'),
      await anEnrolledDevice(ctx, 'ada'),
      await anEnrolledDevice(ctx, 'ada'),
    ];
    await submit(ctx, laptop, [aBucketOfResponses(0, 9)]);
    await submit(ctx, desktop, [aBucketOfResponses(5, 13)]);
    await submit(ctx, server, [aBucketOfResponses(0, 4)]);

    const { entries } = await list(ctx);

    const told = entries.map(({ device, same_as, counted, ...stated }) => {
      return [device, totalOf(stated), totalOf(counted), same_as];
    });
    expect(told).toEqual(
      [
        [idOf(ctx, laptop), 9_000, 9_000, null],
        [idOf(ctx, desktop), 8_000, 4_000, idOf(ctx, laptop)],
        [idOf(ctx, server), 4_000, 0, idOf(ctx, laptop)],
      ].sort(([a], [b]) => ((a ?? '') < (b ?? '') ? -1 : 1)),
    );
  });

  test('filters by device and days, and continues at a cursor in the same order', async () => {
    const ctx = testContext();
    const [laptop, desktop] = [
      await anEnrolledDevice(ctx, 'ada'),
      await anEnrolledDevice(ctx, 'ada'),
    ];
    const days = bucketsOfDays(4, '2026-03-01');
    await submit(ctx, laptop, [...days, ...days.map((day) => ({ ...day, tool: 'codex' }))]);
    await submit(ctx, desktop, bucketsOfDays(4, '2026-03-02', { input: 9 }));
    const all = (await list(ctx)).entries;
    const keyOf = ({ day, tool, device }: (typeof all)[number]) => `${day} ${tool} ${device}`;

    expect(all.map(keyOf)).toEqual(all.map(keyOf).sort());
    for (const chosen of [
      {},
      { device: idOf(ctx, laptop) },
      { device: idOf(ctx, desktop), from: '2026-03-03' },
      { from: '2026-03-02', to: '2026-03-03' },
    ]) {
      const { device, from = '', to = '9' }: Record<string, string> = chosen;
      const expected = all.filter(
        (one) => one.day >= from && one.day <= to && (device ?? one.device) === one.device,
      );
      const paged: typeof all = [];
      let cursor: string | null = null;
      do {
        const page = await list(ctx, { ...chosen, limit: '3', ...(cursor && { cursor }) });
        expect(page.total).toBe(expected.length);
        paged.push(...page.entries);
        cursor = page.next_cursor;
      } while (cursor !== null);
      expect(paged).toEqual(expected);
    }
  });

  test('omits withdrawn counts, self-reports, and counts of others', async () => {
    const ctx = testContext();
    const device = await anEnrolledDevice(ctx, 'ada');
    const { answer } = await submit(ctx, device, [aBucket()]);
    await submit(ctx, device, [aBucket({ day: '2026-03-02' })]);
    await submit(ctx, await anEnrolledDevice(ctx, 'bob'), [aBucket()]);
    const caller = callerOf(ctx, 'ada');
    const byHand = aRecord({ timestamp: '2026-03-03T00:00:00Z' });
    await submitRecords(ctx, caller, { text: JSON.stringify(byHand), idempotencyKey: undefined });
    await withdrawSubmission(ctx, caller, answer.id);

    expect((await list(ctx)).entries.map(({ day }) => day)).toEqual(['2026-03-02']);
    const bobs = (await list(ctx, {}, 'bob')).entries[0]?.device ?? '';
    expect(await list(ctx, { device: bobs })).toEqual({ total: 0, entries: [], next_cursor: null });
  });

  test('rejects an invalid cursor and a deleted account', async () => {
    const ctx = testContext();
    anOperator(ctx, 'ada');

    await expect(list(ctx, { cursor: 'x' })).rejects.toThrow(refusal('query_invalid'));
    await expect(list(ctx, {}, 'nobody')).rejects.toThrow(refusal('not_found'));
  });
});
