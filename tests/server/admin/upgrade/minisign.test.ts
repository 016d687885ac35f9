import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { verifySignature } from '#server/admin/upgrade/minisign.ts';
import { ROOT } from '#tests/support/board/context.ts';
import { newKeyPair, sign } from '../../../../scripts/release/minisign.mjs';

/** Written by minisign 0.11. */
const made = (name: string) => readFileSync(join(ROOT, 'tests', 'fixtures', 'minisign', name));
const BYTES = made('SHA256SUMS');
const SIGNATURE = made('SHA256SUMS.minisig').toString();
const KEY = made('key.pub').toString();

const verify = (changes: { bytes?: Buffer; signature?: string; publicKey?: string } = {}) =>
  verifySignature({ name: 'S', bytes: BYTES, signature: SIGNATURE, publicKey: KEY, ...changes });

/** The signature with one of its lines replaced. */
function withLine(at: number, change: (line: string) => string): string {
  return SIGNATURE.split('\n')
    .map((line, index) => (index === at ? change(line) : line))
    .join('\n');
}

/** Changes a bit of a line of base64. */
function flipped(at: number) {
  return (line: string) => {
    const bytes = Buffer.from(line, 'base64');
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    return bytes.toString('base64');
  };
}

describe('verifySignature()', () => {
  test('accepts what minisign signed, whatever the untrusted comment says', () => {
    expect(() => verify()).not.toThrow();
    expect(() =>
      verify({ signature: withLine(0, () => 'untrusted comment: changed') }),
    ).not.toThrow();
    expect(() => verify({ signature: SIGNATURE.replaceAll('\n', '\r\n') })).not.toThrow();
  });

  test('accepts what npm run release signed', () => {
    const { publicKey, secretKey } = newKeyPair();
    const signature = sign({ bytes: BYTES, secretKey, trustedComment: 'ä\tversion:1.2.0' });
    expect(() => verify({ signature, publicKey })).not.toThrow();
  });

  test('rejects changed bytes', () => {
    for (const at of [0, 100, BYTES.length - 1]) {
      const bytes = Buffer.from(BYTES);
      bytes[at] = (bytes[at] ?? 0) ^ 1;
      expect(() => verify({ bytes })).toThrow('The signature of S is wrong');
    }
    expect(() => verify({ bytes: BYTES.subarray(1) })).toThrow('is wrong');
    expect(() => verify({ bytes: Buffer.concat([BYTES, Buffer.from('\n')]) })).toThrow('is wrong');
  });

  test.each([
    ['algorithm', withLine(1, flipped(0)), 'legacy'],
    ['key ID', withLine(1, flipped(2)), 'signed with the key 01CDEA86CDF41BA2'],
    ['signature', withLine(1, flipped(10)), 'The signature of S is wrong'],
    ['last byte of the signature', withLine(1, flipped(73)), 'The signature of S is wrong'],
    [
      'trusted comment',
      SIGNATURE.replace('1.2.0', '1.2.1'),
      'The comment in S.minisig was changed',
    ],
    ['signature of the comment', withLine(3, flipped(0)), 'The comment in S.minisig was changed'],
  ])('rejects another %s', (_, signature, words) => {
    expect(() => verify({ signature })).toThrow(words);
  });

  test('rejects another key, also one with the same ID', () => {
    const { publicKey } = newKeyPair();
    const [comment = '', line = ''] = KEY.split('\n');
    const sameId = `${comment}\n${flipped(20)(line)}\n`;

    expect(() => verify({ publicKey })).toThrow('this program trusts only');
    expect(() => verify({ publicKey: sameId })).toThrow('is wrong');
  });

  test('rejects a legacy signature, although minisign accepts it', () => {
    expect(() => verify({ signature: made('legacy.minisig').toString() })).toThrow('legacy');
  });

  test.each([
    ['nothing', ''],
    ['a page', '<!doctype html>\n<title>Not found</title>\n'],
    ['a public key', KEY],
    ['no comment', SIGNATURE.replace(/trusted comment: file.*\n.*\n/, '')],
    ['a fifth line', `${SIGNATURE}trusted comment: a\n`],
    ['a short signature', withLine(1, (line) => line.slice(4))],
    ['a short signature of the comment', withLine(3, (line) => line.slice(4))],
  ])('rejects %s in place of a signature', (_, signature) => {
    expect(() => verify({ signature })).toThrow('S.minisig is not a minisign signature');
  });

  test.each(['', 'untrusted comment: a\nRWQ=\n', SIGNATURE])(
    'rejects the key %j in the build',
    (publicKey) => {
      expect(() => verify({ publicKey })).toThrow('release key in this build');
    },
  );
});
