import { describe, expect, test } from 'vitest';
import { SIGNATURE_TYPES, noteKey, parseVkey, vkeyOf } from '#core/domain/tlog/note-key.ts';
import { sha256 } from '#server/process/crypto.ts';
import { PETER } from '#tests/support/tlog/vectors.ts';

describe('parseVkey()', () => {
  test.each([
    ['Ed25519', PETER.vkey, 'c74f20a3', SIGNATURE_TYPES.ed25519],
    [
      'an Ed25519 cosigner',
      'remora.n621.de+da77ade7+BOvN63jn/bLvkieywe8R6UYAtVtNbZpXh34x7onlmtw2',
      'da77ade7',
      SIGNATURE_TYPES.cosignature,
    ],
  ])('reads the key of %s that other programs made', (_name, vkey, id, type) => {
    const key = parseVkey(vkey, sha256);

    expect(key).toMatchObject({ id, type });
    expect(vkeyOf(key)).toBe(vkey);
  });

  test('reads an ML-DSA-44 key, whose base64 contains plus signs', () => {
    const key = noteKey('w', 6, new Uint8Array(1312).fill(0xfb), sha256);

    expect(vkeyOf(key).split('+').length).toBeGreaterThan(3);
    expect(parseVkey(vkeyOf(key), sha256)).toEqual(key);
  });

  test.each([
    ['an ID of another key', PETER.vkey.replace('c74f20a3', 'c74f20a4'), 'is c74f20a3, not'],
    ['an upper-case ID', PETER.vkey.replace('c74f20a3', 'C74F20A3'), 'has the form'],
    ['another name', PETER.vkey.replace('Peter', 'Paul'), 'not c74f20a3'],
    ['a space in the name', PETER.vkey.replace('Peter', 'Peter '), 'spaces'],
    ['no name', PETER.vkey.replace('PeterNeumann', ''), 'has the form'],
    ['a key that is too short', 'a+00000000+AQAA', '32 bytes, not 2'],
    ['an unknown type', 'a+00000000+AwEB', 'type 3 is unknown'],
    ['unpadded base64', PETER.vkey.slice(0, -1), 'has the form'],
    ['a line feed', `${PETER.vkey}\n`, 'has the form'],
    ['too many characters', `a+00000000+${'A'.repeat(4_000)}`, 'has the form'],
  ])('throws key_invalid for %s', (_name, vkey, message) => {
    const expected = expect.objectContaining({
      code: 'key_invalid',
      message: expect.stringContaining(message),
    });
    expect(() => parseVkey(vkey, sha256)).toThrow(expected);
  });
});

describe('noteKey()', () => {
  test.each(['', 'a b', 'a+b', 'a\u0085', 'a\u00a0', 'a\u2003', 'a\ud800', 'a'.repeat(256)])(
    'throws key_invalid for the name %j',
    (name) => {
      expect(() => noteKey(name, 1, new Uint8Array(32), sha256)).toThrow('key name');
    },
  );
});
