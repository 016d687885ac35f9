import { createHash, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  GENESIS_HASH,
  entryHash,
  entryText,
  fromHex,
  hex,
  payloadDigest,
  readEntryText,
} from '#core/domain/log/log-entry.ts';
import { mutatedText } from '#tests/support/fuzz/arbitrary-mutation.ts';
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

describe('readEntryText()', () => {
  const head = {
    index: 7,
    kind: 'log-key' as const,
    previous: 'ab'.repeat(32),
    received_at: '2026-03-10T12:00:00.123Z',
  };
  const text = entryText(head, GENESIS_HASH);

  test('reads what entryText() writes', () => {
    expect(readEntryText(text)).toEqual({ ...head, payload_digest: GENESIS_HASH });
  });

  test.each([
    ['', text.slice(0, -1)],
    ['another line', `${text}\n`],
    ['an index with a zero', `0${text}`],
    ['an unknown kind', text.replace('log-key', 'log-keys')],
    ['upper case', text.replace('ab', 'AB')],
    ['no milliseconds', text.replace('.123', '')],
    ['a day that does not exist', text.replace('03-10', '02-30')],
    ['carriage returns', text.replaceAll('\n', '\r\n')],
  ])('rejects %s', (_name, other) => {
    expect(readEntryText(other)).toBeNull();
  });

  test('accepts each value in one form only, whatever the mutation', () => {
    fc.assert(
      fc.property(mutatedText([text]), (other) => {
        const read = readEntryText(other);
        if (read) expect(entryText(read, read.payload_digest)).toBe(other);
      }),
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
