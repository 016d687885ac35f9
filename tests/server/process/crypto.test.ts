import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { verifyEd25519, verifyEd25519Aside } from '#server/process/crypto.ts';
import { aDevice } from '#tests/support/board/builders.ts';
import { preAuthEncoding, takeApart } from '#core/domain/signing/dsse.ts';

describe('verifyEd25519Aside()', () => {
  test.each([100, 64 * 1024, 64 * 1024 + 1, 1024 * 1024])(
    'agrees with verifyEd25519() for %i bytes',
    async (length) => {
      const { seal, publicKey } = await aDevice();
      const { signed, signature } = takeApart(await seal(randomBytes(length), 'type'), 'type');
      const identity = new Uint8Array(64);
      identity[0] = 1;
      const signatures = [signature, identity, signature.toReversed(), signature.subarray(1)];

      for (const [message, expected] of [
        [signed, [true, false, false, false]],
        [preAuthEncoding('other', signed), [false, false, false, false]],
      ] as const) {
        const aside = signatures.map((one) => verifyEd25519Aside(message, one, publicKey));

        expect(await Promise.all(aside)).toEqual(expected);
        expect(signatures.map((one) => verifyEd25519(message, one, publicKey))).toEqual(expected);
      }
    },
  );

  test('does not block the thread while it verifies a large message', async () => {
    const { seal, publicKey } = await aDevice();
    const { signed, signature } = takeApart(await seal(randomBytes(3_000_000), 'type'), 'type');
    let isOver = false;

    const verifying = verifyEd25519Aside(signed, signature, publicKey).finally(() => {
      isOver = true;
    });
    await Promise.resolve().then(() => undefined);

    expect(isOver).toBe(false);
    expect(await verifying).toBe(true);
  });
});
