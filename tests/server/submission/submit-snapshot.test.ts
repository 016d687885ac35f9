import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { SnapshotReceipt } from '#core/contract/snapshots.ts';
import { takeApart } from '#core/domain/signing/dsse.ts';
import { composeRecord } from '#core/domain/metrics/record.ts';
import { RECEIPT_PAYLOAD_TYPE, type SnapshotPayload } from '#core/schema/snapshot.ts';
import { type Bucket, MAX_COUNT } from '#core/schema/usage.ts';
import { submitSnapshot } from '#server/submission/submit-snapshot.ts';
import { verifyEd25519 } from '#server/process/crypto.ts';
import {
  type Loose,
  MINUTE_MS,
  NOW,
  aBucket,
  aCountedBucket,
  aDevice,
  aPayload,
  aRecord,
  aSubmissionId,
  anEnvelope,
  bucketsOfDays,
} from '#tests/support/board/builders.ts';
import {
  anEnrolledDevice,
  dumpOf,
  query,
  submit,
  testContext,
} from '#tests/support/board/context.ts';
import { refusal } from '#tests/support/http/refusal.ts';

async function aScene() {
  const ctx = testContext();
  return { ctx, device: await anEnrolledDevice(ctx, 'ada') };
}

const sha256 = (...parts: (Buffer | string)[]) =>
  createHash('sha256')
    .update(Buffer.concat(parts.map((part) => Buffer.from(part))))
    .digest('hex');

describe('submitSnapshot()', () => {
  test('returns a receipt and stores the buckets', async () => {
    const { ctx, device } = await aScene();
    const submission_id = aSubmissionId();

    const { created, answer } = await submit(ctx, device, [aBucket()], { submission_id });

    expect(created).toBe(true);
    expect(SnapshotReceipt.parse(answer)).toEqual(answer);
    expect(answer).toMatchObject({
      submission_id,
      log_index: 5,
      received_at: NOW,
      ruleset: '2',
      records: 1,
    });
    expect(
      ctx.store.buckets.group({ operator_id: 1, day: '2026-03-01', tool: 'claude-code' }),
    ).toEqual([aCountedBucket({ log_index: 5 })]);
    expect(ctx.store.operators.byId(1)?.log_index).toBe(5);
    expect(ctx.store.submissions.byId(answer.id)).toMatchObject({
      keyid: device.keyid,
      submission_id,
      collector_name: 'opbench',
      collector_version: '0.1.0',
      records: 1,
    });
  });

  test("signs the receipt with the board's key", async () => {
    const { ctx, device } = await aScene();
    const { answer } = await submit(ctx, device, [aBucket()]);

    const opened = takeApart(answer.receipt, RECEIPT_PAYLOAD_TYPE);
    const boardKey = Buffer.from(ctx.boardKey.public_key, 'base64url');

    expect(opened.keyid).toBe(ctx.boardKey.keyid);
    expect(verifyEd25519(opened.signed, opened.signature, boardKey)).toBe(true);
    const { log_index, entry_hash, received_at, ruleset } = answer;
    expect(JSON.parse(Buffer.from(opened.payload).toString())).toEqual({
      log_index,
      entry_hash,
      received_at,
      ruleset,
    });
  });

  test('lets the sender recompute the entry hash from the envelope', async () => {
    const { ctx, device } = await aScene();
    const envelope = await anEnvelope(device);

    const { answer } = await submitSnapshot(ctx, JSON.stringify(envelope));

    const { log_index, received_at, proof } = answer;
    const digest = sha256(Buffer.from(proof.salt, 'hex'), JSON.stringify(envelope));
    expect(answer.entry_hash).toBe(
      sha256(`${log_index}\nsnapshot\n${proof.previous}\n${received_at}\n${digest}\n`),
    );
    expect(proof.previous).toBe(ctx.store.log.at(log_index - 1)?.entry_hash);
    expect(ctx.store.log.head()?.entry_hash).toBe(answer.entry_hash);
  });

  test("stores the exact signed bytes, regardless of the envelope's formatting", async () => {
    const { ctx, device } = await aScene();
    const bytes = Buffer.from(JSON.stringify(aPayload(), null, 3).replace('ada', '\\u0061da'));
    const { payloadType, payload, signatures } = await device.seal(bytes);
    const text = JSON.stringify({ signatures, payload, payloadType }, null, 2);

    const { answer } = await submitSnapshot(ctx, text);

    const stored = Buffer.from(ctx.store.log.at(answer.log_index)?.payload ?? []).toString();
    expect(stored).toBe(JSON.stringify({ payloadType, payload, signatures }));
    expect(Buffer.from(payload, 'base64').equals(bytes)).toBe(true);
  });

  test('returns the same response for the same bytes at any time, and changes nothing', async () => {
    const { ctx, device } = await aScene();
    const text = JSON.stringify(await anEnvelope(device));
    const first = await submitSnapshot(ctx, text);
    const before = dumpOf(ctx);
    ctx.clock.nowMs += 100 * MINUTE_MS;

    expect(await submitSnapshot(ctx, text)).toEqual({ created: false, answer: first.answer });
    expect(dumpOf(ctx)).toEqual(before);
  });

  test('throws submission_id_reused for other bytes of the same key', async () => {
    const { ctx, device } = await aScene();
    const payload = aPayload();
    await submitSnapshot(ctx, JSON.stringify(await device.seal(payload)));
    const before = dumpOf(ctx);
    const later = { ...payload, issued_at: '2026-03-10T12:00:01.000Z' };
    const changed = await device.seal(later);

    await expect(submitSnapshot(ctx, JSON.stringify(changed))).rejects.toEqual(
      refusal('submission_id_reused'),
    );
    expect(dumpOf(ctx)).toEqual(before);
  });

  test('lets another key use the same submission ID', async () => {
    const { ctx, device } = await aScene();
    const other = await anEnrolledDevice(ctx, 'bob');
    const payload = aPayload();
    const first = await submitSnapshot(ctx, JSON.stringify(await device.seal(payload)));

    const second = await submitSnapshot(ctx, JSON.stringify(await other.seal(payload)));

    expect(second.created).toBe(true);
    expect(second.answer.submission_id).toBe(first.answer.submission_id);
    expect(second.answer.id).not.toBe(first.answer.id);
  });

  test('throws key_unknown for an unknown key, before it reads the payload', async () => {
    const { ctx } = await aScene();
    const envelope = await (await aDevice()).seal('not a snapshot');

    await expect(submitSnapshot(ctx, JSON.stringify(envelope))).rejects.toEqual(
      refusal('key_unknown'),
    );
  });

  test('throws key_revoked, even for submissions that were accepted earlier', async () => {
    const { ctx, device } = await aScene();
    const text = JSON.stringify(await anEnvelope(device));
    await submitSnapshot(ctx, text);
    ctx.store.devices.revokeKey(device.keyid, 'logout', NOW);

    await expect(submitSnapshot(ctx, text)).rejects.toEqual(refusal('key_revoked'));
  });

  test("throws signature_invalid for changed bytes and for another key's signature", async () => {
    const { ctx, device } = await aScene();
    const other = await anEnrolledDevice(ctx, 'bob');
    const envelope = await anEnvelope(device);
    const changed = { ...envelope, payload: (await anEnvelope(device)).payload };
    const foreign = (await other.seal(aPayload())).signatures.map(({ sig }) => ({
      keyid: device.keyid,
      sig,
    }));
    const before = dumpOf(ctx);

    await expect(submitSnapshot(ctx, JSON.stringify(changed))).rejects.toEqual(
      refusal('signature_invalid'),
    );
    await expect(
      submitSnapshot(ctx, JSON.stringify({ ...envelope, signatures: foreign })),
    ).rejects.toEqual(refusal('signature_invalid'));
    expect(dumpOf(ctx)).toEqual(before);
  });

  test.each<[string, Loose<SnapshotPayload>]>([
    ['audience_mismatch', { audience: 'http://127.0.0.1:9' }],
    ['validation_failed', { records: [] }],
    ['validation_failed', { submission_id: '6f0f6a4e-0000-4000-8000-000000000000' }],
    ['validation_failed', { records: [{ ...aRecord(), extra: 1 }] }],
    ['snapshot_stale', { issued_at: '2026-03-10T11:49:59.999Z' }],
    ['window_unsupported', { records: [aRecord(), aRecord({ context: { window: '7d' } })] }],
    ['day_out_of_range', { records: [aRecord({ timestamp: '2026-03-11T00:00:00Z' })] }],
    ['bucket_duplicate', { records: [aRecord(), aRecord()] }],
    [
      'count_out_of_range',
      { records: [composeRecord(aBucket({ input: MAX_COUNT, output: MAX_COUNT }))] },
    ],
    ['metrics_mismatch', { records: [aRecord({ metrics: { ...aRecord().metrics, snr: null } })] }],
    ['correction_invalid', { correction: { tool: 't', from: '2026-03-02', to: '2026-03-01' } }],
  ])('throws %s and leaves no row (%#)', async (code, over) => {
    const { ctx, device } = await aScene();
    const before = dumpOf(ctx);

    await expect(submit(ctx, device, [aBucket()], over)).rejects.toMatchObject({ code });

    expect(dumpOf(ctx)).toEqual(before);
  });

  test.each(['', 'x', 'null', '{"payload":1}', '{"a":1,"a":2}'])(
    'throws a DomainError for the body %j and leaves no row',
    async (text) => {
      const { ctx } = await aScene();
      const before = dumpOf(ctx);

      await expect(submitSnapshot(ctx, text)).rejects.toMatchObject({ name: 'DomainError' });
      expect(dumpOf(ctx)).toEqual(before);
    },
  );

  test('accepts up to 2^53-1 tokens from an operator over several snapshots and devices, and rolls back above that', async () => {
    const { ctx, device } = await aScene();
    const second = await anEnrolledDevice(ctx, 'ada');
    const only = { output: 0, cache_write: null, cache_read: null };
    await submit(ctx, device, [aBucket({ ...only, input: MAX_COUNT - 5 })]);
    await submit(ctx, second, [aBucket({ ...only, input: 5, day: '2026-03-02' })]);
    const before = dumpOf(ctx);

    const more = submit(ctx, second, [
      aBucket({ ...only, input: 0, day: '2026-03-04' }),
      aBucket({ ...only, input: 1, day: '2026-03-03' }),
    ]);

    await expect(more).rejects.toMatchObject({ code: 'count_out_of_range' });
    expect(dumpOf(ctx)).toEqual(before);
  });

  test('applies limits to each operator separately', async () => {
    const { ctx, device } = await aScene();
    const only = { output: 0, cache_write: null, cache_read: null };
    await submit(ctx, device, [aBucket({ ...only, input: MAX_COUNT })]);

    await expect(
      submit(ctx, await anEnrolledDevice(ctx, 'bob'), [aBucket()]),
    ).resolves.toMatchObject({ created: true });
  });

  test('accepts 50 tools, and rolls back with the 51st', async () => {
    const { ctx, device } = await aScene();
    const tools = Array.from({ length: 50 }, (_, at) => aBucket({ tool: `tool ${at}` }));
    await submit(ctx, device, tools);
    const before = dumpOf(ctx);

    const more = submit(ctx, device, [aBucket({ tool: 'one more' })]);

    await expect(more).rejects.toMatchObject({ code: 'too_many_sources' });
    expect(dumpOf(ctx)).toEqual(before);
    await expect(submit(ctx, device, tools)).resolves.toMatchObject({ created: true });
  });

  test('accepts 200 models, and rolls back with the 201st', async () => {
    const { ctx, device } = await aScene();
    const models = Array.from({ length: 200 }, (_, at) => aBucket({ model: `model ${at}` }));
    await submit(ctx, device, models);
    const before = dumpOf(ctx);

    const more = submit(ctx, device, [aBucket({ model: 'one more', day: '2026-03-02' })]);

    await expect(more).rejects.toMatchObject({ code: 'too_many_sources' });
    expect(dumpOf(ctx)).toEqual(before);
  });

  test('applies a correction to absent buckets and lowers present ones', async () => {
    const { ctx, device } = await aScene();
    await submit(ctx, device, [...bucketsOfDays(4, '2026-03-01'), aBucket({ tool: 'codex' })]);
    const correction = { tool: 'claude-code', from: '2026-03-01', to: '2026-03-03' };

    await submit(ctx, device, [aBucket({ day: '2026-03-02', output: 1 })], { correction });

    expect(query(ctx, 'SELECT day, tool, output, counts FROM buckets ORDER BY tool, day')).toEqual([
      { day: '2026-03-02', tool: 'claude-code', output: 1, counts: 1 },
      { day: '2026-03-04', tool: 'claude-code', output: 10_000, counts: 1 },
      { day: '2026-03-01', tool: 'codex', output: 10_000, counts: 1 },
    ]);
  });

  test('counts a folder that two devices share once', async () => {
    const { ctx, device } = await aScene();
    const second = await anEnrolledDevice(ctx, 'ada');
    await submit(ctx, device, bucketsOfDays(3, '2026-03-01'));
    await submit(ctx, second, bucketsOfDays(3, '2026-03-02'));

    expect(ctx.store.buckets.totals(1).total).toBe(4 * 1_111_100);
    await submit(ctx, second, [aBucket({ day: '2026-03-03', output: 10_001 })]);
    expect(ctx.store.buckets.totals(1).total).toBe(5 * 1_111_100 + 1);
  });

  test('accepts the largest number of records', async () => {
    const { ctx, device } = await aScene();
    const days = bucketsOfDays(100, '2025-11-01');
    const buckets = Array.from({ length: 50 }, (_, at) =>
      days.map((bucket) => ({ ...bucket, model: `m${at}` })),
    ).flat();

    const { answer } = await submit(ctx, device, buckets);

    expect(answer.records).toBe(5000);
    expect(ctx.store.buckets.totals(1).total).toBe(5000 * 1_111_100);
  });
});

describe('concurrent submitSnapshot() calls', () => {
  test('stores one of two equal snapshots and returns the same response to both', async () => {
    const { ctx, device } = await aScene();
    const text = JSON.stringify(await anEnvelope(device));

    const [one, other] = await Promise.all([submitSnapshot(ctx, text), submitSnapshot(ctx, text)]);

    expect([one.created, other.created]).toEqual([true, false]);
    expect(other.answer).toEqual(one.answer);
    expect(query(ctx, 'SELECT 1 FROM submissions')).toHaveLength(1);
  });

  test('rolls back only the rejected one', async () => {
    const { ctx, device } = await aScene();
    const tools = Array.from({ length: 51 }, (_, index) => aRecordOf({ tool: `tool-${index}` }));
    const tooMany = JSON.stringify(await anEnvelope(device, { records: tools }));
    const fine = JSON.stringify(await anEnvelope(device));

    const results = await Promise.allSettled([
      submitSnapshot(ctx, tooMany),
      submitSnapshot(ctx, fine),
    ]);

    expect(results).toEqual([
      { status: 'rejected', reason: refusal('too_many_sources') },
      { status: 'fulfilled', value: expect.objectContaining({ created: true }) as unknown },
    ]);
    expect(query(ctx, 'SELECT tool FROM buckets')).toEqual([{ tool: 'claude-code' }]);
  });

  test('rejects a snapshot whose key is revoked while it waits', async () => {
    const { ctx, device } = await aScene();
    const waiting = submitSnapshot(ctx, JSON.stringify(await anEnvelope(device)));
    ctx.store.devices.revokeKey(device.keyid, 'revoked', ctx.now().toISOString());

    await expect(waiting).rejects.toEqual(refusal('key_revoked'));
  });
});

function aRecordOf(over: Partial<Bucket>) {
  return composeRecord(aBucket(over));
}
