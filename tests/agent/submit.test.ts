import { describe, expect, test } from 'vitest';
import { Client, type Fetch } from '#agent/client.ts';
import type { Device } from '#agent/device.ts';
import type { Identity } from '#agent/keystore.ts';
import { enroll } from '#agent/loop/enroll.ts';
import { composePayloads, outboxOf, submit } from '#agent/loop/submit.ts';
import { createEnrollmentCode } from '#server/commands/create-enrollment-code.ts';
import { aDeviceOf, changing, fetchFrom } from '../support/agent.ts';
import { BASE_URL, MINUTE_MS, aBucket, bucketsOfDays } from '../support/builders.ts';
import { type TestContext, anOperator, query, testContext } from '../support/context.ts';

async function enrolled(ctx: TestContext, device: Device): Promise<Identity> {
  const operator = ctx.store.operators.byCodename('ada') ?? anOperator(ctx, 'ada');
  const { code } = createEnrollmentCode(ctx, operator.id);
  return enroll(device, { code, board: BASE_URL, label: 'Laptop' });
}

/** A wire that loses the answers to the first snapshots. */
function losingAnswers(ctx: TestContext, losses: number): Fetch {
  const whole = fetchFrom(ctx);
  let lost = 0;
  return async (url, init) => {
    const answer = await whole(url, init);
    if (!url.endsWith('/snapshots') || lost >= losses) return answer;
    lost += 1;
    throw new TypeError('fetch failed');
  };
}

/** The same device on another wire. */
function aDeviceLike(device: Device, fetch: Fetch): Device {
  return { ...device, client: new Client(fetch, device.nowMs) };
}

function keyBytes(text: string): Uint8Array {
  return Buffer.from(text, 'base64url');
}

function logged(ctx: TestContext): number {
  return query(ctx, `SELECT 1 FROM log_entries WHERE kind = 'snapshot'`).length;
}

describe('submit()', () => {
  test('sends what the board does not have, in batches, and nothing the second time', async () => {
    const ctx = testContext();
    const device = aDeviceOf(ctx);
    const identity = await enrolled(ctx, device);
    const buckets = bucketsOfDays(1001, '2023-06-01');

    const first = await submit(device, identity, buckets);
    const second = await submit(device, identity, buckets);

    expect(first).toMatchObject({ snapshots: 2, records: 1001 });
    expect(second).toMatchObject({ snapshots: 0, records: 0 });
    expect(query(ctx, 'SELECT 1 FROM buckets')).toHaveLength(1001);
  });

  test('sends the same bytes again when the answer was lost', async () => {
    const ctx = testContext();
    const device = aDeviceOf(ctx, losingAnswers(ctx, 1));
    const identity = await enrolled(ctx, device);

    await expect(submit(device, identity, [aBucket()])).rejects.toMatchObject({ exitCode: 4 });
    const waiting = outboxOf(device, identity).pending();
    const again = await submit(device, identity, [aBucket()]);

    expect(waiting).toHaveLength(1);
    expect(again).toMatchObject({ snapshots: 1, records: 1 });
    expect(logged(ctx)).toBe(1);
    expect(outboxOf(device, identity).pending()).toEqual([]);
  });

  test('signs anew what lay longer than the board takes', async () => {
    const ctx = testContext();
    const down: Fetch = (url, init) =>
      url.endsWith('/snapshots')
        ? Promise.reject(new TypeError('fetch failed'))
        : fetchFrom(ctx)(url, init);
    const offline = aDeviceOf(ctx, down);
    const online = { ...offline, client: aDeviceOf(ctx).client };
    const identity = await enrolled(ctx, online);

    await expect(submit(offline, identity, [aBucket()])).rejects.toMatchObject({ exitCode: 4 });
    ctx.clock.nowMs += 60 * MINUTE_MS;
    const late = await submit(online, identity, [aBucket()]);

    expect(late).toMatchObject({ snapshots: 1, records: 1 });
    expect(logged(ctx)).toBe(1);
  });

  test('forgets an envelope that the board refuses for good', async () => {
    const ctx = testContext();
    const device = aDeviceOf(ctx);
    const identity = await enrolled(ctx, device);
    const tomorrow = aBucket({ day: '2026-03-12' });

    const refused = submit(device, identity, [tomorrow]);

    await expect(refused).rejects.toMatchObject({ code: 'day_out_of_range', exitCode: 3 });
    expect(outboxOf(device, identity).pending()).toEqual([]);
    expect(logged(ctx)).toBe(0);
  });

  test('names the key of a receipt that another key signed, and keeps the envelope', async () => {
    const ctx = testContext();
    const device = aDeviceOf(ctx);
    const identity = await enrolled(ctx, device);
    const misled = { ...identity, board_public_key: identity.public_key };

    const accepted = submit(device, misled, [aBucket()]);

    await expect(accepted).rejects.toMatchObject({
      exitCode: 3,
      message: expect.stringContaining(`signs with another key, ${ctx.boardKey.keyid}`),
      hint: expect.stringContaining('enroll again'),
    });
    expect(outboxOf(device, identity).pending()).toHaveLength(1);
  });

  test('refuses a receipt that the right key did not sign', async () => {
    const ctx = testContext();
    const forged = changing(ctx, '/snapshots', async (answer) => {
      const receipt = (await answer.json()) as { ruleset: string };
      return Response.json({ ...receipt, ruleset: 'other' });
    });
    const device = aDeviceOf(ctx, forged);
    const identity = await enrolled(ctx, device);

    const accepted = submit(device, identity, [aBucket()]);

    await expect(accepted).rejects.toThrow('does not prove');
    expect(outboxOf(device, identity).pending()).toHaveLength(1);
  });

  test('sends everything again to a board that was restored without it', async () => {
    const ctx = testContext();
    const device = aDeviceOf(ctx);
    const identity = await enrolled(ctx, device);
    const buckets = bucketsOfDays(3, '2026-03-01');
    await submit(device, identity, buckets);
    const restored = changing(ctx, '/me', async (answer) => {
      const me = (await answer.json()) as { device: object };
      return Response.json({ ...me, device: { ...me.device, last_submission_at: null } });
    });

    const again = await submit(aDeviceLike(device, restored), identity, buckets);
    const after = await submit(device, identity, buckets);

    expect(again).toMatchObject({ snapshots: 1, records: 3 });
    expect(after).toMatchObject({ snapshots: 0 });
    expect(query(ctx, 'SELECT 1 FROM buckets')).toHaveLength(3);
  });

  test('tells what was accepted before a failure', async () => {
    const ctx = testContext();
    const whole = fetchFrom(ctx);
    let sent = 0;
    const failing: Fetch = async (url, init) => {
      if (url.endsWith('/snapshots') && (sent += 1) > 1) throw new TypeError('fetch failed');
      return whole(url, init);
    };
    const device = aDeviceOf(ctx, failing);
    const identity = await enrolled(ctx, device);

    const submitting = submit(device, identity, bucketsOfDays(1001, '2023-06-01'));

    await expect(submitting).rejects.toMatchObject({
      exitCode: 5,
      submission: { snapshots: 1, records: 1000 },
    });
  });

  test('submits although the clock is too far off for a token', async () => {
    const ctx = testContext();
    const online = aDeviceOf(ctx);
    const identity = await enrolled(ctx, online);
    const nowMs = () => ctx.clock.nowMs - 5 * MINUTE_MS;
    const late = { ...online, nowMs, client: new Client(fetchFrom(ctx), nowMs) };

    expect(await submit(late, identity, [aBucket()])).toMatchObject({ snapshots: 1 });
  });
});

describe('composePayloads()', () => {
  test('names the board, the day and the counts, and nothing of the machine', () => {
    const { nowMs } = aDeviceOf(testContext());

    const [payload] = composePayloads({ nowMs }, BASE_URL, [aBucket()]);

    expect(JSON.parse(new TextDecoder().decode(payload?.payload))).toEqual({
      type: 'opbench-snapshot/1',
      audience: BASE_URL,
      submission_id: payload?.id,
      issued_at: '2026-03-10T12:00:00.000Z',
      collector: { name: 'opbench', version: '0.0.0' },
      correction: null,
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

describe('enroll()', () => {
  test('uses the same key again when the answer was lost', async () => {
    const ctx = testContext();
    const whole = fetchFrom(ctx);
    const lost: Fetch = async (url, init) => {
      await whole(url, init);
      throw new TypeError('fetch failed');
    };
    const device = aDeviceOf(ctx, lost);
    const { code } = createEnrollmentCode(ctx, anOperator(ctx, 'ada').id);
    const options = { code, board: BASE_URL, label: 'Laptop' };

    await expect(enroll(device, options)).rejects.toMatchObject({ exitCode: 4 });
    const identity = await enroll({ ...device, client: aDeviceOf(ctx).client }, options);

    expect(identity.codename).toBe('ada');
    expect(query(ctx, 'SELECT keyid FROM device_keys')).toEqual([{ keyid: identity.keyid }]);
  });

  test('makes a new key after the board knew the old one', async () => {
    const ctx = testContext();
    const device = aDeviceOf(ctx);
    const revoked = await enrolled(ctx, device);
    ctx.store.devices.revokeKey(revoked.keyid, 'revoked', ctx.now().toISOString());
    const stale = async () => {
      return { publicKey: keyBytes(revoked.public_key), secretKey: keyBytes(revoked.secret_key) };
    };
    await device.keystore.pendingKey(BASE_URL, stale);

    await expect(enrolled(ctx, device)).rejects.toMatchObject({ code: 'key_known' });
    const fresh = await enrolled(ctx, device);

    expect(fresh.keyid).not.toBe(revoked.keyid);
  });

  test.each([
    ['http://bench.example.org', 'plain http'],
    ['ftp://bench.example.org', 'not the address of a board'],
    ['bench', 'not the address of a board'],
  ])('refuses the board %s', async (board, message) => {
    const device = aDeviceOf(testContext());

    const enrolling = enroll(device, { code: '00000-00000-00000', board, label: 'Laptop' });

    await expect(enrolling).rejects.toThrow(message);
  });
});
