import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { LIMITS, type LimitName } from '#core/contract/limits.ts';
import { SnapshotReceipt } from '#core/contract/snapshots.ts';
import { LeaderboardQuery } from '#core/contract/leaderboard.ts';
import { SubmissionsQuery } from '#core/contract/submissions.ts';
import { composeRecord } from '#core/domain/metrics/record.ts';
import type { Bucket } from '#core/schema/usage.ts';
import { submitRecords } from '#server/submission/submit-records.ts';
import { withdrawSubmission } from '#server/submission/withdraw-submission.ts';
import { RateLimiter } from '#server/process/rate-limit.ts';
import { readDevices } from '#server/device/devices.ts';
import { readLeaderboard } from '#server/board/leaderboard.ts';
import {
  readSubmission,
  readSubmissionEnvelope,
  readSubmissions,
} from '#server/submission/submissions.ts';
import { MINUTE_MS, NOW, aBucket, aRecord, bucketsOfDays } from '#tests/support/board/builders.ts';
import {
  type TestContext,
  anEnrolledDevice,
  anOperator,
  execute,
  dumpOf,
  publish,
  publishAndKeep,
  query,
  submit,
  testContext,
} from '#tests/support/board/context.ts';
import { refusal } from '#tests/support/http/refusal.ts';

function aScene() {
  const ctx = testContext();
  const caller = { operator_id: anOperator(ctx, 'ada').id, device_id: null };
  const sendText = (text: string, idempotencyKey?: string) =>
    submitRecords(ctx, caller, { text, idempotencyKey });
  const send = (buckets: readonly Bucket[], idempotencyKey?: string) =>
    sendText(JSON.stringify({ records: buckets.map(composeRecord) }), idempotencyKey);
  return { ctx, caller, send, sendText };
}

/** Trust, day and output of the records that count. */
const counting = (ctx: TestContext) =>
  query<{ text: string }>(
    ctx,
    `SELECT trust || ' ' || day || ' ' || output AS text FROM buckets b JOIN devices d ON d.id = b.device_id
     WHERE counts = 1 ORDER BY text`,
  ).map(({ text }) => text);

const kinds = (ctx: TestContext) =>
  query<{ kind: string }>(ctx, 'SELECT kind FROM log_entries ORDER BY log_index').map(
    ({ kind }) => kind,
  );

describe('submitRecords()', () => {
  test('throws not_found for a deleted account', async () => {
    const { ctx, caller, send } = aScene();
    execute(ctx, `DELETE FROM operators WHERE id = ${caller.operator_id}`);

    await expect(send([aBucket()])).rejects.toThrow(refusal('not_found'));
  });

  test('returns a receipt, and first enters the account in the log', async () => {
    const { ctx, send } = aScene();

    const { created, answer } = await send([aBucket()]);

    expect(created).toBe(true);
    expect(SnapshotReceipt.parse(answer)).toEqual(answer);
    expect(answer).toMatchObject({ log_index: 4, received_at: NOW, records: 1 });
    expect(kinds(ctx)).toEqual(['board-key', 'ruleset', 'visibility', 'snapshot']);
    expect(ctx.store.operators.byId(1)?.log_index).toBe(4);
    expect(counting(ctx)).toEqual(['self_reported 2026-03-01 10000']);
  });

  test('stores unsigned records in the log, with a hash that can be recomputed', async () => {
    const { ctx, send } = aScene();

    const { answer } = await send([aBucket()]);

    const envelope = readSubmissionEnvelope(ctx, answer.id);
    const digest = createHash('sha256')
      .update(Buffer.from(answer.proof.salt, 'hex'))
      .update(JSON.stringify(envelope))
      .digest('hex');
    const { log_index, received_at, proof } = answer;
    const line = `${log_index}\nsnapshot\n${proof.previous}\n${received_at}\n${digest}\n`;
    expect(createHash('sha256').update(line).digest('hex')).toBe(answer.entry_hash);
    expect(envelope.signatures).toEqual([]);
    const payload = JSON.parse(Buffer.from(envelope.payload, 'base64').toString()) as object;
    const operator = ctx.store.operators.byId(1)?.public_id;
    expect(payload).toMatchObject({ type: 'opbench-self-report/1', operator });
  });

  test('shows the submission without key and collector', async () => {
    const { ctx, send } = aScene();
    const { answer } = await send(bucketsOfDays(2, '2026-03-01'));

    const shown = readSubmission(ctx, answer.id);

    const states = expect.objectContaining({ counting: 2 }) as unknown;
    const facts = { trust: 'self_reported', records: 2, days: 2, states };
    expect(shown).toMatchObject({ ...facts, keyid: null, collector: null });
    expect(shown.submission_id).toBe(answer.submission_id);
    const listed = (trust: 'all' | 'signed') =>
      readSubmissions(ctx, SubmissionsQuery.parse({ trust })).total;
    expect([listed('all'), listed('signed')]).toEqual([1, 0]);
  });

  test('does not appear as a device of the operator', async () => {
    const { ctx, send } = aScene();
    await send([aBucket()]);
    await send([aBucket({ day: '2026-03-02' })]);

    expect(readDevices(ctx, 1)).toEqual([]);
    expect(ctx.store.devices.keyCounts(1)).toEqual({ keys: 0, active: 0 });
    const devices = query<{ public_id: string; trust: string }>(ctx, 'SELECT * FROM devices');
    expect(devices).toMatchObject([{ trust: 'self_reported' }]);
    expect(ctx.store.devices.byPublicId(devices[0]?.public_id ?? '')).toBeUndefined();
  });

  test('replaces an earlier record with a later one, even with smaller counts', async () => {
    const { ctx, send } = aScene();
    const first = await send([aBucket({ output: 20_000 })]);
    await send([aBucket({ output: 5 })]);

    expect(counting(ctx)).toEqual(['self_reported 2026-03-01 5']);
    expect(readSubmission(ctx, first.answer.id).states.superseded).toBe(1);
  });

  test('does not count if a device signed the same tool and day, in any order', async () => {
    const { ctx, send } = aScene();
    await send([aBucket({ model: 'other' }), aBucket({ tool: 'codex', output: 7 })]);
    await submit(ctx, await anEnrolledDevice(ctx, 'ada'), [aBucket({ output: 9 })]);
    await send([aBucket({ model: 'another' })]);

    expect(counting(ctx)).toEqual(['self_reported 2026-03-01 7', 'signed 2026-03-01 9']);
  });

  test('counts again when the signed one is withdrawn, and can be withdrawn itself', async () => {
    const { ctx, caller, send } = aScene();
    const first = await send([aBucket({ output: 20_000 })]);
    const second = await send([aBucket({ output: 30_000 })]);
    const device = await anEnrolledDevice(ctx, 'ada');
    const signed = await submit(ctx, device, [aBucket({ output: 9 })]);

    await withdrawSubmission(ctx, caller, signed.answer.id);
    expect(counting(ctx)).toEqual(['self_reported 2026-03-01 30000']);
    await withdrawSubmission(ctx, caller, second.answer.id);
    expect(counting(ctx)).toEqual(['self_reported 2026-03-01 20000']);
    await withdrawSubmission(ctx, caller, first.answer.id);
    expect(counting(ctx)).toEqual([]);
    expect(readSubmission(ctx, first.answer.id).states.withdrawn).toBe(1);
  });

  test('appears on boards of all submissions, but not on signed boards', async () => {
    const { ctx, send } = aScene();
    await send(bucketsOfDays(9, '2026-03-01'));
    const board = (trust: 'all' | 'signed') =>
      readLeaderboard(ctx, LeaderboardQuery.parse({ trust, include: 'unranked' }));
    publish(ctx, 1);
    expect(board('signed').entries).toEqual([]);
    expect(board('all').entries).toMatchObject([{ codename: 'ada', trust: 'self_reported' }]);

    const device = await anEnrolledDevice(ctx, 'ada');
    await submit(ctx, device, bucketsOfDays(8, '2026-03-01', { tool: 'codex' }));
    publish(ctx, 2);
    expect(board('signed').entries).toMatchObject([{ trust: 'signed', tools: ['codex'] }]);
    expect(board('all').entries).toMatchObject([
      { trust: 'mixed', tools: ['claude-code', 'codex'] },
    ]);
  });

  test('appears on the stored boards of past days', async () => {
    const { ctx, send } = aScene();
    await send(bucketsOfDays(9, '2026-03-01'));
    publishAndKeep(ctx);
    ctx.clock.nowMs += 24 * 60 * MINUTE_MS;
    publishAndKeep(ctx);

    const earlier = (trust: 'all' | 'signed') =>
      readLeaderboard(ctx, LeaderboardQuery.parse({ trust, as_of: '2026-03-10' })).entries;
    expect(earlier('all')).toMatchObject([{ codename: 'ada', rank: 1 }]);
    expect(earlier('signed')).toEqual([]);
  });

  test.each([
    ['malformed_json', '{'],
    ['validation_failed', '{"records":[]}'],
    ['bucket_duplicate', JSON.stringify({ records: [aRecord(), aRecord()] })],
    ['day_out_of_range', JSON.stringify(aRecord({ timestamp: '2026-03-11T00:00:00Z' }))],
    ['metrics_mismatch', JSON.stringify(aRecord({ metrics: { ...aRecord().metrics, snr: 1 } }))],
    [
      'too_many_sources',
      JSON.stringify({
        records: Array.from({ length: 51 }, (_, at) => composeRecord(aBucket({ tool: `t${at}` }))),
      }),
    ],
  ])('throws %s and leaves no row', async (code, text) => {
    const { ctx, sendText } = aScene();
    const before = dumpOf(ctx);

    await expect(sendText(text)).rejects.toMatchObject({ code });

    expect(dumpOf(ctx)).toEqual(before);
  });
});

describe('an idempotency key', () => {
  test('returns the same response for the same bytes at any time, and changes nothing', async () => {
    const { ctx, send } = aScene();
    const first = await send([aBucket()], 'once');
    const before = dumpOf(ctx);
    ctx.clock.nowMs += 100 * MINUTE_MS;

    expect(await send([aBucket()], 'once')).toEqual({ created: false, answer: first.answer });
    expect(dumpOf(ctx)).toEqual(before);
  });

  test('is rejected for other bytes, and belongs to its operator', async () => {
    const { ctx, send } = aScene();
    await send([aBucket()], 'once');
    const other = { operator_id: anOperator(ctx, 'bob').id, device_id: null };
    const text = JSON.stringify(aRecord());

    await expect(send([aBucket({ output: 1 })], 'once')).rejects.toThrow(
      refusal('idempotency_key_reused'),
    );
    await expect(
      submitRecords(ctx, other, { text, idempotencyKey: 'once' }),
    ).resolves.toMatchObject({ created: true });
  });

  test('stores one of two concurrent requests', async () => {
    const { ctx, send } = aScene();

    const [one, other] = await Promise.all([send([aBucket()], 'k'), send([aBucket()], 'k')]);

    expect([one.created, other.created]).toEqual([true, false]);
    expect(other.answer).toEqual(one.answer);
    expect(query(ctx, 'SELECT 1 FROM submissions')).toHaveLength(1);
  });

  test('is stored as a hash, and without one each request is stored', async () => {
    const { ctx, send } = aScene();
    await send([aBucket()], 'secret-name');
    await send([aBucket()]);
    await send([aBucket()]);

    expect(JSON.stringify(dumpOf(ctx))).not.toContain('secret-name');
    expect(query(ctx, 'SELECT 1 FROM submissions')).toHaveLength(3);
  });
});

describe('the limits of self-reports', () => {
  test.each<[LimitName, number]>([
    ['snapshots', 1],
    ['device', 1],
    ['device_bytes', 700],
  ])('%s are counted by operator', async (policy, quota) => {
    const { ctx, send } = aScene();
    const limits = { ...LIMITS, [policy]: { ...LIMITS[policy], quota } };
    ctx.limiter = new RateLimiter(limits, () => ctx.now().getTime());
    await send([aBucket()]);
    const other = { operator_id: anOperator(ctx, 'bob').id, device_id: null };

    await expect(send([aBucket()])).rejects.toMatchObject({ code: 'quota_exceeded' });
    await expect(
      submitRecords(ctx, other, { text: JSON.stringify(aRecord()), idempotencyKey: undefined }),
    ).resolves.toMatchObject({ created: true });
  });
});
