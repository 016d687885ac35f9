import { createHmac } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  fingerprintOf,
  formatFingerprint,
  mergeFingerprints,
  parseFingerprint,
} from '#core/domain/counting/fingerprint.ts';
import type { Bucket } from '#core/schema/usage.ts';
import type { LocalDevice } from '#agent/device.ts';
import { composePayload } from '#agent/loop/compose.ts';
import { fingerprintSource, withFingerprints } from '#agent/loop/fingerprints.ts';
import { keepBaseline } from '#agent/state/baseline.ts';
import {
  eraseFingerprintKey,
  keepFingerprintKey,
  readFingerprintKey,
} from '#agent/state/board-files.ts';
import type { Identity } from '#agent/state/keystore.ts';
import { submit } from '#agent/loop/submit.ts';
import { aDeviceOf, changing, fetchFrom, sendable } from '#tests/support/agent/agent.ts';
import { BASE_URL, DAY_MS, aBucket } from '#tests/support/board/builders.ts';
import { type TestContext, query, testContext } from '#tests/support/board/context.ts';
import { enrolled } from '#tests/support/agent/enrolled.ts';
import { type ToldResponses, aLedgerOf } from '#tests/support/agent/told-responses.ts';

const KEY = 'A'.repeat(43);
const ACCOUNT = { board: BASE_URL, device_id: 'd1' };

/** A bucket with its fingerprint, on a device without a board. */
function stated(bucket: Bucket, told: Omit<ToldResponses, 'bucket'>[], sinceRun = 0) {
  const device = aDeviceOf(testContext());
  keepFingerprintKey(device.keystore.folderOf(BASE_URL), ACCOUNT.device_id, KEY);
  const ledger = aLedgerOf(told.map((one) => ({ bucket, ...one })));
  if (sinceRun > 0) {
    const then = {
      format: 1 as const,
      at: '2026-03-01T00:00:00.000Z',
      ledger: 'l1',
      run: sinceRun,
    };
    const of = { device_id: ACCOUNT.device_id, stay_with: '"laptop"', is_account: false };
    keepBaseline(device.keystore.folderOf(BASE_URL), { ...then, ...of, buckets: {} });
  }
  const source = fingerprintSource(device, ACCOUNT, { ...ledger, id: 'l1' });
  return withFingerprints([bucket], source)[0]?.fingerprint ?? null;
}

/** The fingerprint of responses by the specification. */
function expected(from: number, to: number): string {
  const values = Array.from({ length: to - from }, (_, at) => {
    const name = `response${String(from + at).padStart(3, '0')}`;
    const mac = createHmac('sha256', Buffer.alloc(32)).update(`claude-code\n${name}`).digest();
    return mac.readUInt32BE(0);
  });
  return formatFingerprint(fingerprintOf(values) ?? []);
}

describe('withFingerprints()', () => {
  test("contains the smallest keyed hashes of a bucket's responses", () => {
    expect(stated(aBucket(), [{ from: 0, to: 400 }])).toBe(expected(0, 400));
    expect(stated(aBucket(), [{ from: 0, to: 3 }])).toBe(expected(0, 3));
    expect(stated(aBucket(), [])).toBeNull();
  });

  test('covers only responses of later runs if earlier ones are stated elsewhere', () => {
    const told = [
      { from: 0, to: 40, run: 3, carried: expected(900, 940) },
      { from: 40, to: 60, run: 4 },
    ];
    expect(stated(aBucket(), told, 3)).toBe(expected(40, 60));
    expect(stated(aBucket(), told, 4)).toBeNull();
  });

  test('includes carried-over counts, or is missing if they are unknown', () => {
    const told = (carried: string) => [{ from: 0, to: 40, carried }];
    const both = [expected(0, 40), expected(500, 540)].map((one) => parseFingerprint(one) ?? []);
    const merged = formatFingerprint(mergeFingerprints(both) ?? []);

    expect(stated(aBucket(), told(expected(500, 540)))).toBe(merged);
    expect(stated(aBucket(), told('not one'))).toBeNull();
    expect(stated(aBucket(), [{ from: 0, to: 0, carried: expected(1, 9) }])).toBe(expected(1, 9));
  });

  test('adds at most 400 bytes to a submission of three records', () => {
    const ctx = testContext();
    const device = aDeviceOf(ctx);
    keepFingerprintKey(device.keystore.folderOf(BASE_URL), ACCOUNT.device_id, KEY);
    const buckets = [1, 2, 3].map((at) => aBucket({ model: `model-${at}` }));
    const ledger = aLedgerOf(buckets.map((bucket) => ({ bucket, from: 0, to: 100 })));
    const source = fingerprintSource(device, ACCOUNT, ledger);
    const sizeOf = (fingerprints: typeof source) => {
      const statement = { correction: null, buckets };
      const { payload } = composePayload(device, BASE_URL, statement, { fingerprints });
      return Buffer.from(payload).toString('base64').length;
    };

    expect(sizeOf(source) - sizeOf(null)).toBeGreaterThan(0);
    expect(sizeOf(source) - sizeOf(null)).toBeLessThanOrEqual(400);
  });
});

/** The counts of devices on the board, by the first letters of their labels. */
function fingerprintsAt(ctx: TestContext): (string | null)[] {
  const rows = query<{ fingerprint: Buffer | null }>(
    ctx,
    'SELECT fingerprint FROM buckets ORDER BY device_id, day',
  );
  return rows.map(({ fingerprint }) => fingerprint?.toString('base64url') ?? null);
}

async function aDevice(ctx: TestContext, fetch = fetchFrom(ctx)) {
  const device = aDeviceOf(ctx, fetch);
  return { device, identity: await enrolled(ctx, device) };
}

function send(
  { device, identity }: { device: LocalDevice; identity: Identity },
  told: readonly ToldResponses[],
  notes: string[] = [],
) {
  const buckets = told.map(({ bucket }) => bucket);
  const asked = { ...sendable(buckets), ledger: aLedgerOf(told) };
  return submit(device, identity, asked, { note: (text) => notes.push(text) });
}

describe('submit()', () => {
  test("sends fingerprints with the account's key, and never sends the key", async () => {
    const ctx = testContext();
    const [laptop, desktop] = [await aDevice(ctx), await aDevice(ctx)];
    const told = [{ bucket: aBucket(), from: 0, to: 40 }];

    await send(laptop, told);
    await send(desktop, told);

    const [first, second] = fingerprintsAt(ctx);
    expect(first).toMatch(/^[\w-]{80}$/);
    expect(second).toBe(first);
    const folder = laptop.device.keystore.folderOf(BASE_URL);
    expect(readFingerprintKey(folder, laptop.identity.device_id)).toMatch(/^[\w-]{43}$/);
    expect(readFingerprintKey(folder, desktop.identity.device_id)).toBeNull();
    const mode = statSync(join(folder, 'fingerprint-key.json')).mode & 0o777;
    if (process.platform !== 'win32') expect(mode).toBe(0o600);
    laptop.device.keystore.erase(BASE_URL);
    expect(readFingerprintKey(folder, laptop.identity.device_id)).toBeNull();
  });

  test('sends none to a board without a key', async () => {
    const ctx = testContext();
    const early = changing(ctx, '/me', async (answer) => {
      const me = (await answer.json()) as object;
      return Response.json({ ...me, fingerprint_key: undefined });
    });
    const laptop = await aDevice(ctx, early);
    eraseFingerprintKey(laptop.device.keystore.folderOf(BASE_URL));
    await send(laptop, [{ bucket: aBucket(), from: 0, to: 40 }]);

    expect(fingerprintsAt(ctx)).toEqual([null]);
  });

  test('sends a count again with a fingerprint if another device has the same day', async () => {
    const ctx = testContext();
    const [laptop, desktop] = [await aDevice(ctx), await aDevice(ctx)];
    const [one, other] = [aBucket(), aBucket({ day: '2026-03-02' })];
    const more = aBucket({ output: 11_000 });
    await submit(laptop.device, laptop.identity, sendable([one, other]));
    await submit(desktop.device, desktop.identity, sendable([more]));
    const total = () =>
      query<{ sum: number }>(ctx, 'SELECT sum(output) AS sum FROM buckets WHERE counts = 1')[0]
        ?.sum;
    expect(total()).toBe(31_000);
    const notes: string[] = [];

    const ofLaptop = [
      { bucket: one, from: 0, to: 40 },
      { bucket: other, from: 50, to: 90 },
    ];
    const sent = await send(laptop, ofLaptop, notes);
    await send(desktop, [{ bucket: more, from: 0, to: 44 }]);

    expect(sent.records).toBe(1);
    expect(notes).toEqual([expect.stringContaining('1 daily count sent again')]);
    expect(fingerprintsAt(ctx)).toEqual([expect.any(String), null, expect.any(String)]);
    expect(total()).toBe(21_000);
  });

  test('requests counts at most once a day, for days without fingerprints, if there are other devices', async () => {
    const ctx = testContext();
    const asked: string[] = [];
    const whole = fetchFrom(ctx);
    const watched = (url: string, init: RequestInit) => {
      if (url.includes('/counts')) asked.push(new URL(url).search);
      return whole(url, init);
    };
    const laptop = await aDevice(ctx, watched);
    const one = aBucket();
    await submit(laptop.device, laptop.identity, sendable([one]));
    const told = [{ bucket: one, from: 0, to: 40 }];
    await send(laptop, told);
    expect(asked).toEqual([]);

    const desktop = await aDevice(ctx);
    await send(laptop, told);
    await send(laptop, told);
    expect(asked).toEqual(['?limit=1000']);
    ctx.clock.nowMs += DAY_MS;
    await send(desktop, told);
    await send(laptop, told);
    expect(asked).toEqual(['?limit=1000', '?from=2026-03-01&to=2026-03-01&limit=1000']);
    ctx.clock.nowMs += DAY_MS;
    await send(laptop, told);
    expect(asked).toHaveLength(2);
    expect(fingerprintsAt(ctx)).toEqual([expect.any(String), expect.any(String)]);
  });

  test('continues if counts cannot be requested', async () => {
    const ctx = testContext();
    const whole = fetchFrom(ctx);
    const laptop = await aDevice(ctx, (url, init) =>
      url.includes('/counts') ? Promise.reject(new Error('lost')) : whole(url, init),
    );
    await aDevice(ctx);
    await submit(laptop.device, laptop.identity, sendable([aBucket()]));

    const sent = await send(laptop, [{ bucket: aBucket(), from: 0, to: 40 }]);

    expect(sent).toMatchObject({ snapshots: 0 });
  });
});
