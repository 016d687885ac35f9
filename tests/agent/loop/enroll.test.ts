import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Fetch } from '#agent/board/client.ts';
import { enroll } from '#agent/loop/enroll.ts';
import { createEnrollmentCode } from '#server/device/create-enrollment-code.ts';
import { aDeviceOf, fetchFrom } from '#tests/support/agent/agent.ts';
import { BASE_URL } from '#tests/support/board/builders.ts';
import { anOperator, query, testContext } from '#tests/support/board/context.ts';
import { enrolled } from '#tests/support/agent/enrolled.ts';
import { aDeviceLike } from '#tests/support/agent/wires.ts';

function keyBytes(text: string): Uint8Array {
  return Buffer.from(text, 'base64url');
}

describe('enroll()', () => {
  test('uses the same key again after a lost response', async () => {
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

  test('deletes the key after a rejection, but not after a lost response', async () => {
    const ctx = testContext();
    const device = aDeviceOf(ctx);
    const pending = join(device.keystore.folderOf(BASE_URL), 'pending-key.json');
    const options = { code: '00000-00000-00000', board: BASE_URL, label: 'Laptop' };
    const offline = aDeviceLike(device, () => Promise.reject(new TypeError('fetch failed')));

    await expect(enroll(device, options)).rejects.toMatchObject({ exitCode: 3 });
    const isKept = existsSync(pending);
    await expect(enroll(offline, options)).rejects.toMatchObject({ exitCode: 4 });
    await expect(enroll(device, options)).rejects.toMatchObject({ exitCode: 3 });

    expect(isKept).toBe(false);
    expect(existsSync(pending)).toBe(true);
  });

  test.each([
    ['nothing listens', { cause: { code: 'ECONNREFUSED', message: 'refused' } }, false],
    ['the host name is unknown', { cause: { code: 'ENOTFOUND', message: 'unknown' } }, false],
    ['the connection broke', { cause: { code: 'ECONNRESET', message: 'reset' } }, true],
    ['a web page responded', new Response('<html>'), false],
    ['something else was not found', new Response('gone', { status: 404 }), false],
    ['a proxy has no board behind it', new Response('down', { status: 502 }), true],
    ['a newer board responded', Response.json({ later: true }), true],
  ])('if %s, a new key is kept: %j %s', async (_, end, isKept) => {
    const device = aDeviceLike(aDeviceOf(testContext()), () =>
      end instanceof Response
        ? Promise.resolve(end)
        : Promise.reject(new TypeError('fetch failed', end)),
    );
    const options = { code: '00000-00000-00000', board: BASE_URL, label: 'Laptop' };

    await expect(enroll(device, options)).rejects.toMatchObject({
      exitCode: 4,
      hint: isKept && end instanceof Response && end.status === 502 ? null : expect.anything(),
    });
    expect(device.keystore.pendingBoards()).toEqual(isKept ? [BASE_URL] : []);
  });

  test('creates a new key if the board already knows the old one', async () => {
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
    ['http://bench.example.org', 'is not encrypted'],
    ['ftp://bench.example.org', 'not the address of a board'],
    ['bench', 'not the address of a board'],
  ])('rejects the board %s', async (board, message) => {
    const device = aDeviceOf(testContext());

    const enrolling = enroll(device, { code: '00000-00000-00000', board, label: 'Laptop' });

    await expect(enrolling).rejects.toThrow(message);
  });
});
