import { describe, expect, test } from 'vitest';
import { signDeviceToken } from '#core/domain/signing/device-token.ts';
import { verifyStrict } from '#core/domain/signing/ed25519.ts';
import { BASE_URL, NOW_MS, aDevice } from '#tests/support/board/builders.ts';

const REQUEST = { audience: BASE_URL, method: 'GET', path: '/api/v1/me' };

describe('signDeviceToken()', () => {
  test('contains the request, the key and a lifetime of 60 seconds', async () => {
    const device = await aDevice();

    const token = await signDeviceToken(REQUEST, device, NOW_MS + 999, 'once');
    const [header, claims] = token
      .split('.', 2)
      .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()) as unknown);

    expect(header).toEqual({ alg: 'Ed25519', typ: 'device+jwt', kid: device.keyid });
    expect(claims).toEqual({
      aud: BASE_URL,
      iat: NOW_MS / 1000,
      exp: NOW_MS / 1000 + 60,
      jti: 'once',
      htm: 'GET',
      htu: `${BASE_URL}/api/v1/me`,
    });
  });

  test('signs header and claims as they are sent', async () => {
    const device = await aDevice();

    const token = await signDeviceToken(REQUEST, device, NOW_MS, 'once');
    const dot = token.lastIndexOf('.');
    const signature = Buffer.from(token.slice(dot + 1), 'base64url');

    expect(await verifyStrict(Buffer.from(token.slice(0, dot)), signature, device.publicKey)).toBe(
      true,
    );
  });
});
