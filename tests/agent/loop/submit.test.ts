import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Client, type Fetch } from '#agent/board/client.ts';
import { batchesOf, composePayload } from '#agent/loop/compose.ts';
import { outboxOf, submit } from '#agent/loop/submit.ts';
import { aDeviceOf, changing, fetchFrom, sendable } from '#tests/support/agent/agent.ts';
import { BASE_URL, MINUTE_MS, aBucket, bucketsOfDays } from '#tests/support/board/builders.ts';
import { query, testContext } from '#tests/support/board/context.ts';
import { enrolled } from '#tests/support/agent/enrolled.ts';
import { fingerprintOfResponses } from '#tests/support/board/fingerprints.ts';
import { aDeviceLike, logged, losingAnswers, losingSnapshots } from '#tests/support/agent/wires.ts';

describe('submit()', () => {
  test('sends what the board does not have, in batches, and nothing the second time', async () => {
    const ctx = testContext();
    const device = aDeviceOf(ctx);
    const identity = await enrolled(ctx, device);
    const buckets = bucketsOfDays(1001, '2023-06-01');

    const first = await submit(device, identity, sendable(buckets));
    const second = await submit(device, identity, sendable(buckets));

    expect(first).toMatchObject({ snapshots: 2, records: 1001 });
    expect(second).toMatchObject({ snapshots: 0, records: 0 });
    expect(query(ctx, 'SELECT 1 FROM buckets')).toHaveLength(1001);
  });

  test('sends the same bytes again until the board responds', async () => {
    const ctx = testContext();
    const device = aDeviceOf(ctx, losingAnswers(ctx, 2));
    const identity = await enrolled(ctx, device);

    const submitted = await submit(device, identity, sendable([aBucket()]));

    expect(submitted).toMatchObject({ snapshots: 1, records: 1 });
    expect(logged(ctx)).toBe(1);
    expect(outboxOf(device, identity).pending()).toEqual([]);
  });

  test('keeps the envelope without a response, and sends it unchanged the next time', async () => {
    const ctx = testContext();
    const device = aDeviceOf(ctx, losingAnswers(ctx, 5));
    const identity = await enrolled(ctx, device);

    const lost = submit(device, identity, sendable([aBucket()]));
    await expect(lost).rejects.toMatchObject({ exitCode: 4, message: /tried 5 times/ });
    const waiting = outboxOf(device, identity).pending();
    const again = await submit(device, identity, sendable([aBucket()]));

    expect(waiting).toHaveLength(1);
    expect(again).toMatchObject({ snapshots: 1, records: 1 });
    expect(logged(ctx)).toBe(1);
    expect(outboxOf(device, identity).pending()).toEqual([]);
  });

  test('signs again with the new key what an earlier key of this device had signed', async () => {
    const ctx = testContext();
    const offline = aDeviceOf(ctx, losingSnapshots(ctx));
    const online = { ...offline, client: aDeviceOf(ctx).client };
    const first = await enrolled(ctx, online);
    await expect(submit(offline, first, sendable([aBucket()]))).rejects.toThrow('reached');

    const second = await enrolled(ctx, online);
    const submitted = await submit(online, second, sendable([]));

    expect(second.keyid).not.toBe(first.keyid);
    expect(submitted).toMatchObject({ snapshots: 1, records: 1 });
  });

  test.each(['key_revoked', 'key_unknown'])('keeps its envelope after %s', async (code) => {
    const ctx = testContext();
    const told = changing(ctx, '/snapshots', () => {
      return Response.json({ code, detail: 'No' }, { status: 403 });
    });
    const device = aDeviceOf(ctx, told);
    const identity = await enrolled(ctx, device);

    await expect(submit(device, identity, sendable([aBucket()]))).rejects.toMatchObject({ code });

    expect(outboxOf(device, identity).pending()).toHaveLength(1);
  });

  test('signs an envelope again that is too old for the board', async () => {
    const ctx = testContext();
    const offline = aDeviceOf(ctx, losingSnapshots(ctx));
    const online = { ...offline, client: aDeviceOf(ctx).client };
    const identity = await enrolled(ctx, online);

    const bucket = aBucket({ fingerprint: fingerprintOfResponses(0, 9) });
    await expect(submit(offline, identity, sendable([bucket]))).rejects.toMatchObject({
      exitCode: 4,
    });
    ctx.clock.nowMs += 60 * MINUTE_MS;
    const late = await submit(online, identity, sendable([bucket]));

    expect(late).toMatchObject({ snapshots: 1, records: 1 });
    expect(logged(ctx)).toBe(1);
    const { day, tool, fingerprint } = bucket;
    expect(ctx.store.buckets.group({ operator_id: 1, day, tool })).toMatchObject([{ fingerprint }]);
  });

  test('drops an envelope that the board rejects permanently', async () => {
    const ctx = testContext();
    const device = aDeviceOf(ctx);
    const identity = await enrolled(ctx, device);
    const tomorrow = aBucket({ day: '2026-03-12' });

    const refused = submit(device, identity, sendable([tomorrow]));

    await expect(refused).rejects.toMatchObject({ code: 'day_out_of_range', exitCode: 3 });
    expect(outboxOf(device, identity).pending()).toEqual([]);
    expect(logged(ctx)).toBe(0);
  });

  test('names the key of a receipt that another key signed, and keeps the envelope', async () => {
    const ctx = testContext();
    const device = aDeviceOf(ctx);
    const identity = await enrolled(ctx, device);
    const misled = { ...identity, board_public_key: identity.public_key };

    const accepted = submit(device, misled, sendable([aBucket()]));

    await expect(accepted).rejects.toMatchObject({
      exitCode: 3,
      message: expect.stringContaining(ctx.boardKey.keyid),
      hint: expect.stringContaining('enroll again'),
    });
    expect(outboxOf(device, identity).pending()).toHaveLength(1);
  });

  test('rejects a receipt that the right key did not sign', async () => {
    const ctx = testContext();
    const forged = changing(ctx, '/snapshots', async (answer) => {
      const receipt = (await answer.json()) as { ruleset: string };
      return Response.json({ ...receipt, ruleset: 'other' });
    });
    const device = aDeviceOf(ctx, forged);
    const identity = await enrolled(ctx, device);

    const accepted = submit(device, identity, sendable([aBucket()]));

    await expect(accepted).rejects.toThrow('does not prove');
    expect(outboxOf(device, identity).pending()).toHaveLength(1);
  });

  test('sends everything again to a board that was restored from a backup', async () => {
    const ctx = testContext();
    const device = aDeviceOf(ctx);
    const identity = await enrolled(ctx, device);
    const buckets = bucketsOfDays(3, '2026-03-01');
    await submit(device, identity, sendable(buckets));
    const restored = changing(ctx, '/me', async (answer) => {
      const me = (await answer.json()) as { device: object };
      return Response.json({ ...me, device: { ...me.device, last_submission_at: null } });
    });

    const notes: string[] = [];
    const note = (text: string) => void notes.push(text);
    const like = aDeviceLike(device, restored);
    const again = await submit(like, identity, sendable(buckets), { note });
    const after = await submit(device, identity, sendable(buckets));

    expect(again).toMatchObject({ snapshots: 1, records: 3 });
    expect(notes).toEqual([expect.stringContaining('all days are sent again')]);
    expect(after).toMatchObject({ snapshots: 0 });
    expect(query(ctx, 'SELECT 1 FROM buckets')).toHaveLength(3);
  });

  test.each([
    ['torn', '{"payloadType":"application/'],
    ['of another program', '{"hello":"world"}'],
  ])('drops an envelope that is %s, and sends the counts again', async (_, envelope) => {
    const ctx = testContext();
    const device = aDeviceOf(ctx);
    const identity = await enrolled(ctx, device);
    outboxOf(device, identity).add('1', envelope);
    const notes: string[] = [];
    const note = (text: string) => void notes.push(text);

    const submitted = await submit(device, identity, sendable([aBucket()]), { note });

    expect(submitted).toMatchObject({ snapshots: 1, records: 1 });
    expect(outboxOf(device, identity).pending()).toEqual([]);
    expect(notes).toEqual([expect.stringContaining('damaged and was discarded')]);
  });

  test('reports what was accepted before an error', async () => {
    const ctx = testContext();
    const whole = fetchFrom(ctx);
    let sent = 0;
    const failing: Fetch = async (url, init) => {
      if (url.endsWith('/snapshots') && (sent += 1) > 1) throw new TypeError('fetch failed');
      return whole(url, init);
    };
    const device = aDeviceOf(ctx, failing);
    const identity = await enrolled(ctx, device);

    const submitting = submit(device, identity, sendable(bucketsOfDays(1001, '2023-06-01')));

    await expect(submitting).rejects.toMatchObject({
      exitCode: 5,
      submission: { snapshots: 1, records: 1000 },
    });
  });

  test('submits even if the clock is too wrong for a token', async () => {
    const ctx = testContext();
    const online = aDeviceOf(ctx);
    const identity = await enrolled(ctx, online);
    const nowMs = () => ctx.clock.nowMs - 5 * MINUTE_MS;
    const late = { ...online, nowMs, client: new Client(fetchFrom(ctx), nowMs) };

    expect(await submit(late, identity, sendable([aBucket()]))).toMatchObject({ snapshots: 1 });
  });

  test.each([
    [-60, "this device's clock is 60 minutes behind the board's"],
    [180, "this device's clock is 3 hours ahead of the board's"],
  ])('reports a clock that differs by %i minutes, and sends nothing', async (minutes, words) => {
    const ctx = testContext();
    const online = aDeviceOf(ctx);
    const identity = await enrolled(ctx, online);
    const nowMs = () => ctx.clock.nowMs + minutes * MINUTE_MS;
    const dated: Fetch = async (url, init) => {
      const answer = await fetchFrom(ctx)(url, init);
      answer.headers.set('date', ctx.now().toUTCString());
      return answer;
    };
    const off = { ...online, nowMs, client: new Client(dated, nowMs) };

    await expect(submit(off, identity, sendable([aBucket()]))).rejects.toMatchObject({
      code: 'token_invalid',
      exitCode: 3,
      message: expect.stringContaining(words),
      hint: expect.stringContaining('Set the clock'),
    });
    expect(outboxOf(online, identity).pending()).toEqual([]);
    expect(await submit(online, identity, sendable([aBucket()]))).toMatchObject({ snapshots: 1 });
    expect(logged(ctx)).toBe(1);
  });

  test('sends every day once in two concurrent runs', async () => {
    const ctx = testContext();
    const device = aDeviceOf(ctx);
    const identity = await enrolled(ctx, device);
    const days = sendable(bucketsOfDays(3, '2026-03-01'));
    const lock = join(device.keystore.folderOf(BASE_URL), 'lock');
    const wait = async () => {
      while (existsSync(lock)) await new Promise<void>((done) => setImmediate(done));
    };
    const unhurried = { ...device, wait };

    const both = await Promise.all([
      submit(unhurried, identity, days),
      submit(unhurried, identity, days),
    ]);

    expect(both.map(({ snapshots }) => snapshots).sort()).toEqual([0, 1]);
    expect(logged(ctx)).toBe(1);
  });

  test('does not send while another process does', async () => {
    const ctx = testContext();
    const device = aDeviceOf(ctx);
    const identity = await enrolled(ctx, device);
    const lock = join(device.keystore.folderOf(BASE_URL), 'lock');
    writeFileSync(lock, String(process.ppid));

    const refused = submit(device, identity, sendable([aBucket()]));

    await expect(refused).rejects.toThrow(`process ${process.ppid})`);
    expect(logged(ctx)).toBe(0);
  });

  test('reports progress', async () => {
    const ctx = testContext();
    const waits: number[] = [];
    const wait = (ms: number) => Promise.resolve(void waits.push(ms));
    const device = { ...aDeviceOf(ctx, losingAnswers(ctx, 1)), wait };
    const identity = await enrolled(ctx, device);
    const said: string[] = [];

    await submit(device, identity, sendable(bucketsOfDays(1001, '2023-06-01')), {
      progress: (text) => void said.push(text),
    });

    expect(said).toEqual([
      `${BASE_URL}: batch 1 of 2`,
      expect.stringMatching(
        /: retrying up to 4 times, first in 1 s: .* cannot be reached: fetch failed$/,
      ),
      `${BASE_URL}: batch 2 of 2`,
    ]);
    expect(waits).toEqual([expect.any(Number)]);
  });
});

describe('composePayload()', () => {
  test('contains the board, the day and the counts, and nothing about the computer', () => {
    const { nowMs } = aDeviceOf(testContext());

    const [batch] = batchesOf([aBucket()]);
    const payload = batch && composePayload({ nowMs }, BASE_URL, batch);

    expect(JSON.parse(new TextDecoder().decode(payload?.payload))).toEqual({
      type: 'opbench-snapshot/2',
      audience: BASE_URL,
      submission_id: payload?.id,
      issued_at: '2026-03-10T12:00:00.000Z',
      collector: { name: 'opbench', version: '0.0.0' },
      correction: null,
      covers: null,
      records: [
        {
          spec: 'rank/0.1-draft',
          timestamp: '2026-03-01T00:00:00Z',
          source: { provider: 'anthropic', model: 'claude-opus-5', tool: 'claude-code' },
          telemetry: { input: 1_100, output: 10_000, cache_write: 100_000, cache_read: 1_000_000 },
          metrics: { yield: 8264.46, leverage: 909.1, velocity: 9.091, snr: 0.9009, dev10x: 2.96 },
          warnings: [],
          context: { window: '1d' },
        },
      ],
    });
  });
});
