import { describe, expect, test } from 'vitest';
import { Me } from '#core/contract/me.ts';
import { totalOf } from '#core/domain/counting/bucket.ts';
import { readMe, readyMe } from '#server/board/me.ts';
import { NOW, aBucket, bucketsOfDays } from '#tests/support/board/builders.ts';
import {
  anEnrolledDevice,
  anOperator,
  publish,
  submit,
  testContext,
} from '#tests/support/board/context.ts';
import { anActive } from '#tests/support/board/boards.ts';
import { fingerprintOfResponses } from '#tests/support/board/fingerprints.ts';
import { refusal } from '#tests/support/http/refusal.ts';

/** Twenty even days up to the board's day, with about a million tokens each. */
function twentyDays(over: Parameters<typeof bucketsOfDays>[2]) {
  return bucketsOfDays(20, '2026-02-19', { cache_write: 0, ...over });
}

describe('readMe()', () => {
  test('returns the rank or reasons for each window with tokens, shortest first', async () => {
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
      { code: 'active_days_low', required: 14, actual: 8, detail: '8 of 14 active days' },
    ]);
  });

  test('returns rank and class for each tool, most used first', () => {
    const ctx = testContext();
    const mostly = { tool: 'claude-code', input: 100_000, output: 60_000, cache_read: 900_000 };
    anActive(ctx, 'ada', twentyDays({ ...mostly, output: 90_000 }));
    anActive(ctx, 'ada', twentyDays({ tool: 'codex', output: 10_000 }));
    anActive(ctx, 'ada', twentyDays({ tool: 'hers', input: 10 }));
    anActive(ctx, 'bob', twentyDays(mostly));
    anActive(ctx, 'cyd', twentyDays({ tool: 'codex', output: 500_000, cache_read: 900_000 }));
    publish(ctx);

    const me = readMe(ctx, { operator_id: 1, device_id: null });

    expect(Me.parse(me)).toEqual(me);
    expect(me.standings.at(-1)).toMatchObject({ rank: 2, total: 3 });
    expect(
      me.tools.map(({ tool, has_board, class_tier, standings }) => {
        const { rank = null, total = null } = standings.find((at) => at.window === '90d') ?? {};
        return { tool, has_board, class_tier, rank, total };
      }),
    ).toEqual([
      { tool: 'claude-code', has_board: true, class_tier: 'stream', rank: 1, total: 2 },
      { tool: 'codex', has_board: true, class_tier: expect.any(String), rank: 2, total: 2 },
      { tool: 'hers', has_board: false, class_tier: 'unclassed', rank: null, total: null },
    ]);
    expect(me.tools[0]?.tokens).toBe(20 * (100_000 + 90_000 + 900_000));
  });

  test('lists at most 50 tools', () => {
    const ctx = testContext();
    const tools = Array.from({ length: 60 }, (_, at) =>
      aBucket({ tool: `tool-${at}`, input: at + 1 }),
    );
    anActive(ctx, 'ada', tools);
    publish(ctx);

    const me = readMe(ctx, { operator_id: 1, device_id: null });

    expect(me.tools).toHaveLength(50);
    expect(me.tools[0]?.tool).toBe('tool-59');
  });

  test('returns the same key for all devices of an account, another for each account, and null without a device', async () => {
    const ctx = testContext();
    await anEnrolledDevice(ctx, 'ada');
    await anEnrolledDevice(ctx, 'ada');
    await anEnrolledDevice(ctx, 'bob');
    publish(ctx);
    const keyOf = (operator_id: number, device_id: number | null) =>
      readMe(ctx, { operator_id, device_id }).fingerprint_key;

    const key = keyOf(1, 1);

    expect(key).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(keyOf(1, 2)).toBe(key);
    expect(keyOf(2, 3)).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(keyOf(2, 3)).not.toBe(key);
    expect(keyOf(1, null)).toBeNull();
  });

  test('counts records that several devices submitted', async () => {
    const ctx = testContext();
    const laptop = await anEnrolledDevice(ctx, 'ada');
    const days = bucketsOfDays(3, '2026-03-01');
    await submit(ctx, laptop, [...days, aBucket({ model: 'other' })]);
    await submit(ctx, await anEnrolledDevice(ctx, 'ada'), days.slice(1));
    publish(ctx);
    const caller = { operator_id: 1, device_id: 1 };

    await readyMe(ctx, caller);
    const { shared } = readMe(ctx, caller);

    expect(shared).toEqual({ records: 2, tokens: 2 * totalOf(aBucket()), in_part: 0, days: 2 });
  });

  test('counts records that overlap only in part', async () => {
    const ctx = testContext();
    const of = (from: number, to: number, output: number) =>
      aBucket({ output, fingerprint: fingerprintOfResponses(from, to) });
    await submit(ctx, await anEnrolledDevice(ctx, 'ada'), [of(0, 9, 9_000)]);
    await submit(ctx, await anEnrolledDevice(ctx, 'ada'), [of(5, 13, 8_000)]);
    publish(ctx);
    const caller = { operator_id: 1, device_id: 1 };

    await readyMe(ctx, caller);

    expect(readMe(ctx, caller).shared).toMatchObject({ records: 1, in_part: 1, days: 1 });
  });

  test('shows nothing about others', async () => {
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

  test('throws not_found for a deleted account, service_unavailable before the first board', () => {
    const ctx = testContext();
    const { id } = anOperator(ctx, 'ada');

    expect(() => readMe(ctx, { operator_id: 99, device_id: null })).toThrow(refusal('not_found'));
    expect(() => readMe(ctx, { operator_id: id, device_id: null })).toThrow(
      refusal('service_unavailable'),
    );
  });
});
