import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Sendable } from '#agent/loop/compose.ts';
import { outboxOf, submit } from '#agent/loop/submit.ts';
import type { Bucket } from '#core/schema/usage.ts';
import { aDeviceOf, sendable } from '#tests/support/agent/agent.ts';
import { BASE_URL, aBucket, bucketsOfDays } from '#tests/support/board/builders.ts';
import { type TestContext, query, testContext } from '#tests/support/board/context.ts';
import { enrolled } from '#tests/support/agent/enrolled.ts';

describe('submit() after the rules of a reader changed', () => {
  const OLD = { 'claude-code': 1 };
  const NEW = { 'claude-code': 2 };
  const days = bucketsOfDays(4, '2026-03-01');
  const lower = days.map((bucket) => ({ ...bucket, output: 5_000 }));

  /** A board that has these buckets, counted by the old rules. */
  async function sent(buckets: readonly Bucket[]) {
    const ctx = testContext();
    const device = aDeviceOf(ctx);
    const identity = await enrolled(ctx, device);
    await submit(device, identity, sendable(buckets, OLD));
    const counts = () => {
      const sql = 'SELECT day, model, output FROM buckets WHERE counts = 1 ORDER BY day';
      return query(ctx, sql) as { day: string; model: string; output: number }[];
    };
    const send = (now: Partial<Sendable>) => {
      return submit(device, identity, { ...sendable([], NEW), ...now });
    };
    return { ctx, device, identity, send, counts };
  }

  /** The corrections in the log. */
  function corrections(ctx: TestContext): unknown[] {
    const rows = query(ctx, `SELECT payload FROM log_entries WHERE kind = 'snapshot'`);
    return (rows as { payload: string }[]).map((row) => {
      const envelope = JSON.parse(row.payload) as { payload: string };
      const text = Buffer.from(envelope.payload, 'base64').toString('utf8');
      return (JSON.parse(text) as { correction: unknown }).correction;
    });
  }

  test('corrects the days on which the board has more, and no day twice', async () => {
    const { ctx, send, counts } = await sent(days);
    const [first = aBucket(), ...later] = days;

    const corrected = await send({ buckets: [first, ...lower.slice(1)] });
    const again = await send({ buckets: [first, ...lower.slice(1)] });

    expect([corrected.records, again.snapshots]).toEqual([3, 0]);
    expect(corrections(ctx)).toEqual([
      null,
      { tool: 'claude-code', from: later[0]?.day, to: later[2]?.day },
    ]);
    expect(counts().map(({ output }) => output)).toEqual([10_000, 5_000, 5_000, 5_000]);
  });

  test('removes a bucket that the new rules do not have', async () => {
    const other = days.map((bucket) => ({ ...bucket, model: 'unknown' }));
    const { send, counts } = await sent([...days, ...other]);

    await send({ buckets: days });

    expect(counts().map(({ model }) => model)).toEqual(Array(4).fill('claude-opus-5'));
  });

  test('removes a day without counts, with a record of the next day', async () => {
    const { send, counts } = await sent(days);

    await send({ buckets: [...days.slice(0, 1), ...days.slice(2)] });

    expect(counts().map(({ day }) => day)).toEqual(['2026-03-01', '2026-03-03', '2026-03-04']);
  });

  test('splits corrections that are too large for one snapshot, between days', async () => {
    const models = Array.from({ length: 150 }, (_, index) => `model-${index}`);
    const many = (output: number) => {
      return days.concat(bucketsOfDays(4, '2026-03-05')).flatMap((bucket) => {
        return models.map((model) => ({ ...bucket, model, output }));
      });
    };
    const { ctx, send, counts } = await sent(many(2));

    const corrected = await send({ buckets: many(1) });

    expect(corrected).toMatchObject({ snapshots: 2, records: 1200 });
    expect(corrections(ctx).slice(2)).toEqual([
      { tool: 'claude-code', from: '2026-03-01', to: '2026-03-07' },
      { tool: 'claude-code', from: '2026-03-08', to: '2026-03-08' },
    ]);
    expect(new Set(counts().map(({ output }) => output))).toEqual(new Set([1]));
  });

  test.each([
    ['the ledger does not know the tool', { rules: {} }],
    ['the ledger has less and was counted by the same rules', { rules: OLD }],
  ])('corrects nothing if %s', async (_, over) => {
    const { send, counts } = await sent(days);

    expect(await send({ buckets: lower, ...over })).toMatchObject({ snapshots: 0 });
    expect(counts().map(({ output }) => output)).toEqual(Array(4).fill(10_000));
  });

  test('corrects nothing that was sent before rules were stored', async () => {
    const { device, identity, send } = await sent(days);
    const path = join(device.keystore.folderOf(BASE_URL), 'sent.json');
    const { rules, ...before } = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
    writeFileSync(path, JSON.stringify(before));

    const submitted = await send({ buckets: lower });

    expect(rules).toEqual(OLD);
    expect(submitted).toMatchObject({ snapshots: 0 });
    expect(outboxOf(device, identity).rulesOf('claude-code')).toBe(2);
  });
});
