import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { signDeviceToken } from '#core/domain/signing/device-token.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import { makeApiKey, readApiKey } from '#server/identity/api-keys.ts';
import { readDeviceToken } from '#server/identity/device-tokens.ts';
import {
  FUZZING,
  FUZZING_MS,
  mutatedJson,
  mutatedText,
} from '#tests/support/fuzz/arbitrary-mutation.ts';
import { expectLinear } from '#tests/support/fuzz/arbitrary-text.ts';
import { BASE_URL, NOW_MS } from '#tests/support/board/builders.ts';
import { anEnrolledDevice, testContext } from '#tests/support/board/context.ts';

const REQUEST = { audience: BASE_URL, method: 'GET', path: '/api/v1/me' };
const NOW_S = NOW_MS / 1000;
const encode = (text: string) => Buffer.from(text).toString('base64url');

describe('credentials', { timeout: FUZZING_MS }, () => {
  test('every modified device token is rejected with a known error', async () => {
    const ctx = testContext();
    const device = await anEnrolledDevice(ctx, 'ada');
    const token = await signDeviceToken(REQUEST, device, NOW_MS, 'once');
    const refuse = async (text: string) => {
      if (text === token) return;
      const error: unknown = await readDeviceToken(ctx.store, text, REQUEST, ctx.now()).catch(
        (thrown: unknown) => thrown,
      );
      expect(error).toBeInstanceOf(DomainError);
    };

    // Four bits of the last character are unused.
    for (const letter of 'AQgwBRhx') await refuse(token.slice(0, -1) + letter);
    await fc.assert(fc.asyncProperty(mutatedText([token]), refuse), FUZZING);
  });

  test('signed device tokens with arbitrary claims are valid or rejected with a known error', async () => {
    const ctx = testContext();
    const device = await anEnrolledDevice(ctx, 'ada');
    const header = { alg: 'Ed25519', typ: 'device+jwt', kid: device.keyid };
    const life = { iat: NOW_S, exp: NOW_S + 60, jti: 'once' };
    const claims = { ...life, aud: BASE_URL, htm: 'GET', htu: `${BASE_URL}/api/v1/me` };
    const anyToken = fc.tuple(
      fc.oneof(fc.constant(JSON.stringify(header)), mutatedJson([header])),
      mutatedJson([claims]),
    );

    await fc.assert(
      fc.asyncProperty(anyToken, async ([head, body]) => {
        const text = `${encode(head)}.${encode(body)}`;
        const signature = Buffer.from(await device.sign(Buffer.from(text))).toString('base64url');
        const read = readDeviceToken(ctx.store, `${text}.${signature}`, REQUEST, ctx.now());
        const key = await read.catch((error: unknown) => {
          expect(error).toBeInstanceOf(DomainError);
          return null;
        });
        if (key !== null) expect(key.keyid).toBe(device.keyid);
      }),
      FUZZING,
    );
  });

  test('modified API keys give no access', () => {
    const { store } = testContext();
    const { text, ...row } = makeApiKey();
    store.apiKeys.add({ ...row, label: 'x', per_minute: 60, created_at: '2026-03-01T00:00:00Z' });
    expect(readApiKey(store, text)).not.toBeNull();

    fc.assert(
      fc.property(mutatedText([text]), (changed) => {
        if (changed !== text) expect(readApiKey(store, changed)).toBeNull();
      }),
      FUZZING,
    );
    expect(() => expectLinear((worst) => readApiKey(store, worst))).not.toThrow();
  });
});
