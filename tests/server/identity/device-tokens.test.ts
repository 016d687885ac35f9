import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { signDeviceToken } from '#core/domain/signing/device-token.ts';
import { readDeviceToken } from '#server/identity/device-tokens.ts';
import { BASE_URL, NOW_MS, type TestDevice, aDevice } from '#tests/support/board/builders.ts';
import {
  type TestContext,
  anEnrolledDevice,
  query,
  testContext,
} from '#tests/support/board/context.ts';

const REQUEST = { audience: BASE_URL, method: 'GET', path: '/api/v1/me' };
const NOW_S = NOW_MS / 1000;

async function aBoard() {
  const ctx = testContext();
  return { ctx, device: await anEnrolledDevice(ctx, 'ada') };
}

const read = (ctx: TestContext, token: string, request = REQUEST) =>
  readDeviceToken(ctx.store, token, request, ctx.now());

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A token with other claims or header members, signed by the device. */
async function aToken(device: TestDevice, claims: object = {}, header: object = {}) {
  const head = { alg: 'Ed25519', typ: 'device+jwt', kid: device.keyid, ...header };
  const life = { iat: NOW_S, exp: NOW_S + 60, jti: 'once' };
  const bound = { aud: BASE_URL, htm: 'GET', htu: `${BASE_URL}/api/v1/me` };
  const text = `${encode(head)}.${encode({ ...life, ...bound, ...claims })}`;
  const signature = await device.sign(Buffer.from(text));
  return `${text}.${Buffer.from(signature).toString('base64url')}`;
}

const REFUSED = { name: 'DomainError', code: 'token_invalid' };

describe('readDeviceToken()', () => {
  test('returns the key, device and operator of a token that signDeviceToken() made', async () => {
    const { ctx, device } = await aBoard();
    const token = await signDeviceToken(REQUEST, device, NOW_MS, 'once');

    const key = await read(ctx, token);

    expect(key).toMatchObject({ keyid: device.keyid, device_id: 1, operator_id: 1 });
  });

  test('accepts a token once', async () => {
    const { ctx, device } = await aBoard();
    const token = await aToken(device);
    await read(ctx, token);

    await expect(read(ctx, token)).rejects.toMatchObject(REFUSED);
    await expect(read(ctx, await aToken(device, { exp: NOW_S + 59 }))).rejects.toMatchObject(
      REFUSED,
    );
    await expect(read(ctx, await aToken(device, { jti: 'twice' }))).resolves.toBeDefined();
  });

  test('accepts a token once, even concurrently', async () => {
    const { ctx, device } = await aBoard();
    const token = await aToken(device);

    const settled = await Promise.allSettled([read(ctx, token), read(ctx, token)]);

    expect(settled.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  test('accepts a token once even after it expires, within the clock tolerance', async () => {
    const { ctx, device } = await aBoard();
    const token = await aToken(device);
    await read(ctx, token);
    ctx.clock.nowMs += 119_999;

    await expect(read(ctx, token)).rejects.toMatchObject(REFUSED);
  });

  test('does not remember the jti of a rejected token', async () => {
    const { ctx, device } = await aBoard();
    const refused = read(ctx, await aToken(device, { htm: 'DELETE' }));

    await expect(refused).rejects.toMatchObject(REFUSED);
    await expect(read(ctx, await aToken(device))).resolves.toBeDefined();
  });

  test('rejects a token 60 seconds after it expires, which is the clock tolerance', async () => {
    const { ctx, device } = await aBoard();

    ctx.clock.nowMs = NOW_MS + 119_999;
    await expect(read(ctx, await aToken(device))).resolves.toBeDefined();
    ctx.clock.nowMs = NOW_MS + 120_000;
    await expect(read(ctx, await aToken(device, { jti: 'other' }))).rejects.toMatchObject(REFUSED);
  });

  test('rejects a token that was issued more than 60 seconds in the future', async () => {
    const { ctx, device } = await aBoard();
    const token = await aToken(device, { iat: NOW_S + 3600, exp: NOW_S + 3660 });

    await expect(read(ctx, token)).rejects.toMatchObject(REFUSED);
  });

  test.each<[string, object]>([
    ['a lifetime of 61 seconds', { exp: NOW_S + 61 }],
    ['another method', { htm: 'DELETE' }],
    ['another spelling of the method', { htm: 'get' }],
    ['another path', { htu: `${BASE_URL}/api/v1/submissions` }],
    ['another board in htu', { htu: 'https://other.example/api/v1/me' }],
    ['a query in htu', { htu: `${BASE_URL}/api/v1/me?x=1` }],
    ['another audience', { aud: 'https://other.example' }],
    ['no audience', { aud: undefined }],
    ['no iat', { iat: undefined }],
    ['no exp', { exp: undefined }],
    ['no jti', { jti: undefined }],
    ['no htm', { htm: undefined }],
    ['no htu', { htu: undefined }],
    ['a jti of 101 characters', { jti: 'x'.repeat(101) }],
    ['a jti of null', { jti: null }],
    ['a jti of an object', { jti: { a: 1 } }],
    ['a jti of a list', { jti: ['a'] }],
    ['a jti of true', { jti: true }],
    ['exp as text', { exp: String(NOW_S + 60) }],
    ['exp with a fraction', { exp: NOW_S + 59.5 }],
    ['nbf in an hour', { nbf: NOW_S + 3600 }],
  ])('rejects %s', async (_, claims) => {
    const { ctx, device } = await aBoard();

    await expect(read(ctx, await aToken(device, claims))).rejects.toMatchObject(REFUSED);
  });

  test.each<[string, object]>([
    ['the older name of the algorithm', { alg: 'EdDSA' }],
    ['the algorithm none', { alg: 'none' }],
    ['another typ', { typ: 'JWT' }],
    ['no typ', { typ: undefined }],
    ['no kid', { kid: undefined }],
    ['a kid of an object', { kid: { a: 1 } }],
    ['a kid of a list', { kid: ['a', 'b'] }],
    ['a kid of true', { kid: true }],
    ['a kid of a number', { kid: 7 }],
    ['an unknown critical extension', { crit: ['x'], x: 1 }],
  ])('rejects %s in the header', async (_, header) => {
    const { ctx, device } = await aBoard();

    await expect(read(ctx, await aToken(device, {}, header))).rejects.toMatchObject(REFUSED);
  });

  test('rejects an unsigned token', async () => {
    const { ctx, device } = await aBoard();
    const [, claims = ''] = (await aToken(device)).split('.');
    const header = encode({ alg: 'none', typ: 'device+jwt', kid: device.keyid });

    await expect(read(ctx, `${header}.${claims}.`)).rejects.toMatchObject(REFUSED);
  });

  test('rejects a token that uses the public key as a shared secret', async () => {
    const { ctx, device } = await aBoard();
    const [, claims = ''] = (await aToken(device)).split('.');
    const text = `${encode({ alg: 'HS256', typ: 'device+jwt', kid: device.keyid })}.${claims}`;
    const mac = createHmac('sha256', device.publicKey).update(text).digest('base64url');

    await expect(read(ctx, `${text}.${mac}`)).rejects.toMatchObject(REFUSED);
  });

  test("rejects another device's signature with this key's ID", async () => {
    const { ctx, device } = await aBoard();
    const other = await anEnrolledDevice(ctx, 'bob');
    const token = await aToken({ ...other, keyid: device.keyid });

    await expect(read(ctx, token)).rejects.toMatchObject(REFUSED);
  });

  test('rejects a key inside the token itself', async () => {
    const { ctx, device } = await aBoard();
    const other = await anEnrolledDevice(ctx, 'bob');
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: other.public_key };
    const token = await aToken({ ...other, keyid: device.keyid }, {}, { jwk });

    await expect(read(ctx, token)).rejects.toMatchObject(REFUSED);
  });

  test('distinguishes revoked and unknown keys from invalid tokens', async () => {
    const { ctx, device } = await aBoard();
    const stranger = await aDevice();
    ctx.store.devices.revokeKey(device.keyid, 'revoked', ctx.now().toISOString());

    const [revoked, unknown] = [await aToken(device), await aToken(stranger)];

    await expect(read(ctx, revoked)).rejects.toMatchObject({ code: 'key_revoked' });
    await expect(read(ctx, unknown)).rejects.toMatchObject({ code: 'key_unknown' });
  });

  test.each(['', 'x', 'a.b', 'a.b.c', '..', 'e30.e30.', `${'x'.repeat(10_000)}.y.z`])(
    'rejects %j',
    async (token) => {
      await expect(read(testContext(), token)).rejects.toMatchObject(REFUSED);
    },
  );

  test('rejects a token for as long as its ID is remembered', async () => {
    const { ctx, device } = await aBoard();
    const token = await aToken(device);
    await read(ctx, token);
    const kept = () => query(ctx, 'SELECT expires_at FROM device_token_ids');
    const [{ expires_at }] = kept() as [{ expires_at: number }];

    ctx.store.expiry.forgetExpired(new Date(expires_at * 1000 - 1));
    expect(kept()).toHaveLength(1);
    ctx.clock.nowMs = expires_at * 1000;
    ctx.store.expiry.forgetExpired(ctx.now());
    expect(kept()).toEqual([]);
    await expect(read(ctx, token)).rejects.toMatchObject(REFUSED);
  });
});
