import { createHash, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  GENESIS_HASH,
  entryHash,
  fromHex,
  hex,
  payloadDigest,
} from '#core/domain/log/log-entry.ts';
import { sha256 } from '#server/process/crypto.ts';

describe('entryHash()', () => {
  test('is the SHA-256 of the five lines', () => {
    const head = {
      index: 1,
      kind: 'board-key' as const,
      previous: GENESIS_HASH,
      received_at: '2026-03-10T12:00:00.000Z',
    };
    const digest = payloadDigest(Buffer.alloc(32, 1), Buffer.from('{"a":"é"}'), sha256);

    expect(digest).toBe('f07896885f3ae493431e48911b8b70f68b8f66d77490c3143844b5d85f6f22ca');
    expect(entryHash(head, digest, sha256)).toBe(
      '9280b7e3347f89c758307b3f87d515136e3a77ce5a9f928848e5e7d56419884d',
    );
  });
});

describe('payloadDigest()', () => {
  test('is the SHA-256 of the salt and then the payload', () => {
    const [salt, payload] = [randomBytes(32), randomBytes(100)];
    const expected = createHash('sha256').update(salt).update(payload).digest('hex');

    expect(payloadDigest(salt, payload, sha256)).toBe(expected);
  });
});

describe('fromHex()', () => {
  test('is the inverse of hex(), which is lower case', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect(hex(bytes)).toBe(Buffer.from(bytes).toString('hex'));
        expect(Uint8Array.from(fromHex(hex(bytes)))).toEqual(bytes);
      }),
    );
  });
});
