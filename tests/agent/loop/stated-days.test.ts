import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { submit } from '#agent/loop/submit.ts';
import type { Envelope, SnapshotPayload2 } from '#core/schema/snapshot.ts';
import type { Bucket } from '#core/schema/usage.ts';
import { decideSubmission } from '#server/submission/decide-submission.ts';
import { withdrawSubmission } from '#server/submission/withdraw-submission.ts';
import { aDeviceOf, changing, fetchFrom, sendable } from '#tests/support/agent/agent.ts';
import { enrolled } from '#tests/support/agent/enrolled.ts';
import { losingSnapshots } from '#tests/support/agent/wires.ts';
import { BASE_URL, DAY_MS, aBucket, bucketsOfDays } from '#tests/support/board/builders.ts';
import { type TestContext, query, testContext } from '#tests/support/board/context.ts';

const on = (date: number, over: Partial<Bucket> = {}) =>
  aBucket({ day: `2026-03-${String(date).padStart(2, '0')}`, ...over });

/** A board on 10 March, and a device whose logs are complete from a day on. */
async function aScene(fetchOf = fetchFrom) {
  const ctx = testContext();
  const device = aDeviceOf(ctx, fetchOf(ctx));
  const identity = await enrolled(ctx, device);
  const send = (buckets: Bucket[], whole: string | null = '2026-03-02') =>
    submit(device, identity, sendable(buckets, {}, whole));
  return { ctx, device, identity, send };
}

/** What the board logged: type, stated days, and days of the records of each snapshot. */
function statedIn(ctx: TestContext) {
  const rows = query<{ payload: Buffer }>(
    ctx,
    `SELECT payload FROM log_entries WHERE kind = 'snapshot' ORDER BY log_index`,
  );
  return rows.map(({ payload }) => {
    const envelope = JSON.parse(payload.toString()) as Envelope;
    const snapshot = JSON.parse(Buffer.from(envelope.payload, 'base64').toString());
    const { type, covers, records } = snapshot as SnapshotPayload2;
    const days = [...new Set(records.map(({ timestamp }) => Number(timestamp.slice(8, 10))))];
    return { type, covers, days };
  });
}

const spanOf = (from: number, to: number) => ({
  tools: ['claude-code'],
  from: on(from).day,
  to: on(to).day,
});

describe('a submission', () => {
  test('states the days that are over, from the first day for which no log can be missing', async () => {
    const { ctx, send } = await aScene();
    await send([on(1), on(3), on(5), on(10)], '2026-03-02');

    expect(statedIn(ctx)).toEqual([
      { type: 'opbench-snapshot/2', covers: spanOf(2, 9), days: [3, 5, 1, 10] },
    ]);
  });

  test('states each day once, with all counts of that day, also those that the board has', async () => {
    const { ctx, send } = await aScene();
    await send([on(9), on(10)]);
    await send([on(9), on(10, { output: 20_000 })]);
    ctx.clock.nowMs += 3 * DAY_MS;
    await send([on(9), on(10, { output: 20_000 }), on(13)]);

    expect(statedIn(ctx).slice(1)).toEqual([
      { type: 'opbench-snapshot/2', covers: null, days: [10] },
      { type: 'opbench-snapshot/2', covers: spanOf(10, 12), days: [10, 13] },
    ]);
  });

  test('is not made only to state days', async () => {
    const { ctx, send } = await aScene();
    await send([on(9)]);
    ctx.clock.nowMs += 3 * DAY_MS;

    expect(await send([on(9)])).toMatchObject({ snapshots: 0 });
  });

  test('leaves out days whose logs may have been deleted, and tools of which nothing is known', async () => {
    const { ctx, send } = await aScene();
    await send([on(9)]);
    ctx.clock.nowMs += 40 * DAY_MS;
    await send([on(9), aBucket({ day: '2026-04-19' })], '2026-04-10');
    ctx.clock.nowMs += DAY_MS;
    await send([aBucket({ day: '2026-04-20' })], null);

    const [, second, third] = statedIn(ctx);
    expect(second?.covers).toMatchObject({ from: '2026-04-10', to: '2026-04-18' });
    expect(third).toMatchObject({ covers: null });
  });

  test('states the days after those of an envelope that waited', async () => {
    const { ctx, device, identity } = await aScene();
    const offline = aDeviceOf(ctx, losingSnapshots(ctx));
    const place = { ...offline, keystore: device.keystore };
    await submit(place, identity, sendable([on(8)], {}, '2026-03-02')).catch(() => undefined);
    ctx.clock.nowMs += 2 * DAY_MS;
    await submit(device, identity, sendable([on(8), on(12)], {}, '2026-03-02'));

    expect(statedIn(ctx).map(({ covers }) => covers)).toEqual([spanOf(2, 9), spanOf(10, 11)]);
  });

  test('begins with the last submission if an earlier version sent that', async () => {
    const { ctx, device, send } = await aScene();
    await send([on(4), on(10)]);
    const path = join(device.keystore.folderOf(BASE_URL), 'sent.json');
    const { covered_to, ...sent } = JSON.parse(readFileSync(path, 'utf8')) as Record<
      string,
      string
    >;
    writeFileSync(path, JSON.stringify(sent));
    ctx.clock.nowMs += 2 * DAY_MS;
    await send([on(4), on(10), on(12)]);

    expect(covered_to).toBe('2026-03-09');
    expect(statedIn(ctx)[1]).toMatchObject({ covers: spanOf(10, 11), days: [10, 12] });
  });

  test('neither states withdrawn days nor sends their counts again', async () => {
    const { ctx, send } = await aScene();
    await send([on(10)]);
    const [{ id = '' } = {}] = query<{ id: string }>(ctx, 'SELECT id FROM submissions');
    ctx.clock.nowMs += 2 * DAY_MS;
    await withdrawSubmission(ctx, { operator_id: 1, device_id: null }, id);
    await send([on(10), on(12)]);

    expect(statedIn(ctx)[1]).toMatchObject({ covers: spanOf(11, 11), days: [12] });
  });

  test('neither states days on hold nor sends their counts again', async () => {
    const { ctx, send } = await aScene();
    await send([on(10)]);
    const [{ id = '' } = {}] = query<{ id: string }>(ctx, 'SELECT id FROM submissions');
    ctx.clock.nowMs += 2 * DAY_MS;
    decideSubmission(ctx, { kind: 'hold', id, reason: 'A question' });
    await send([on(10), on(12)]);
    decideSubmission(ctx, { kind: 'release', id, reason: 'It is fine' });

    expect(statedIn(ctx)[1]).toMatchObject({ covers: spanOf(11, 11), days: [12] });
  });

  test('has version 1 for a board that does not list version 2, and contains only what is new', async () => {
    const { ctx, send } = await aScene((board) =>
      changing(board, '/me', async (answer) => {
        const me = (await answer.json()) as Record<string, unknown>;
        return Response.json({ ...me, snapshot_types: undefined });
      }),
    );
    await send([on(9), on(10)]);
    ctx.clock.nowMs += DAY_MS;
    await send([on(9), on(10), on(11)]);

    expect(statedIn(ctx)).toEqual([
      { type: 'opbench-snapshot/1', covers: undefined, days: [9, 10] },
      { type: 'opbench-snapshot/1', covers: undefined, days: [11] },
    ]);
  });

  test('does not divide a day among batches', async () => {
    const { ctx, send } = await aScene();
    const models = ['a', 'b', 'c'].map((model) => `claude-${model}`);
    const buckets = bucketsOfDays(400, '2025-02-01').flatMap((bucket) =>
      models.map((model) => ({ ...bucket, model })),
    );
    await send(buckets, '2025-02-01');

    const [first, second] = statedIn(ctx).map(({ covers }) => covers);
    expect(first).toMatchObject({ from: '2025-02-01', to: '2025-12-31' });
    expect(second).toMatchObject({ from: '2026-01-01', to: '2026-03-09' });
    const split = query(
      ctx,
      'SELECT day FROM buckets GROUP BY day HAVING count(DISTINCT log_index) > 1',
    );
    expect(split).toEqual([]);
  });
});
