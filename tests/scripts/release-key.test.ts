import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { newKeyPair, publicKeyOf, readPublicKey, sign } from '../../scripts/release/minisign.mjs';
import { createReleaseKey, signRelease } from '../../scripts/release/release-key.mjs';
import { ROOT, aDataDir } from '#tests/support/board/context.ts';

/** Written by minisign 0.11. */
const MADE = join(ROOT, 'tests', 'fixtures', 'minisign');
const made = (name: string) => readFileSync(join(MADE, name), 'utf8');
const SECRET = made('key-for-tests-only.key');

describe('sign()', () => {
  test('makes the signatures that minisign makes', () => {
    const trustedComment = 'file:SHA256SUMS\tversion:1.2.0';
    const bytes = readFileSync(join(MADE, 'SHA256SUMS'));

    const [, ...lines] = sign({ bytes, secretKey: SECRET, trustedComment }).split('\n');

    expect(lines).toEqual(made('SHA256SUMS.minisig').split('\n').slice(1));
  });

  test('rejects a comment that would be two lines', () => {
    const signing = { bytes: Buffer.from('a'), secretKey: SECRET, trustedComment: 'a\nb' };
    expect(() => sign(signing)).toThrow('one line');
  });

  test.each([
    ['nothing', '', 'not a minisign secret key'],
    ['a public key', made('key.pub'), 'not a minisign secret key'],
    ['an encrypted key', changed(SECRET, 2, 'S'), 'is encrypted'],
    ['a damaged key', changed(SECRET, 100, '!'), 'is damaged'],
  ])('rejects %s in place of a secret key', (_, secretKey, words) => {
    const signing = { bytes: Buffer.from('a'), secretKey, trustedComment: 'a' };
    expect(() => sign(signing)).toThrow(words);
  });
});

test('newKeyPair() makes keys of the same form as those of minisign', () => {
  const { publicKey, secretKey } = newKeyPair();
  const form = (text: string) => text.replaceAll(/[A-Za-z0-9+/=]{40,}/g, (key) => `${key.length}`);

  expect(readPublicKey(publicKeyOf(SECRET))).toBe(readPublicKey(made('key.pub')));
  expect(publicKeyOf(secretKey)).toBe(publicKey);
  expect(form(publicKey)).toMatch(/^untrusted comment: minisign public key [0-9A-F]{16}\n56\n$/);
  expect(form(secretKey)).toMatch(/^untrusted comment: minisign secret key [0-9A-F]{16}\n212\n$/);
});

function changed(key: string, at: number, to: string): string {
  const [comment = '', line = ''] = key.split('\n');
  const bytes = Buffer.from(line, 'base64');
  bytes.write(to, at, 'latin1');
  return `${comment}\n${bytes.toString('base64')}\n`;
}

/** Windows has no file modes. */
const CAN_HIDE = process.platform !== 'win32';

/** A folder with a key pair and checksums to sign. */
function aRelease() {
  const folder = aDataDir();
  const [secretPath, publicPath] = [join(folder, 'secret.key'), join(folder, 'key.pub')];
  const path = join(folder, 'SHA256SUMS');
  createReleaseKey(secretPath, publicPath);
  writeFileSync(path, made('SHA256SUMS'));
  return { folder, path, secretPath, publicPath, version: '1.2.0' };
}

describe('createReleaseKey()', () => {
  test('writes a secret key for its owner only, and never over a key', () => {
    const { folder, secretPath, publicPath } = aRelease();
    const before = [secretPath, publicPath].map((path) => readFileSync(path, 'utf8'));

    expect(statSync(secretPath).mode & 0o77).toBe(CAN_HIDE ? 0 : 0o66);
    for (const paths of [
      [secretPath, join(folder, 'b.pub')],
      [join(folder, 'b.key'), publicPath],
    ] as const) {
      expect(() => createReleaseKey(...paths)).toThrow('already exists');
    }
    expect([secretPath, publicPath].map((path) => readFileSync(path, 'utf8'))).toEqual(before);
    expect(readdirSync(folder).toSorted()).toEqual(['SHA256SUMS', 'key.pub', 'secret.key']);
  });

  test('leaves no secret key if the public key cannot be written', () => {
    const folder = aDataDir();
    const paths = [join(folder, 'secret.key'), join(folder, 'none', 'key.pub')] as const;
    expect(() => createReleaseKey(...paths)).toThrow('ENOENT');
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('signRelease()', () => {
  test('signs the checksums, with their name and version, always in the same way', () => {
    const release = aRelease();
    const signed = () => {
      signRelease(release);
      return readFileSync(`${release.path}.minisig`, 'utf8');
    };

    const first = signed();

    expect(first.split('\n')[2]).toBe('trusted comment: file:SHA256SUMS\tversion:1.2.0');
    expect(signed()).toBe(first);
  });

  test('refuses a key that programs of the release do not know', () => {
    const release = aRelease();
    const { folder, publicPath, path } = release;
    const other = aRelease();

    expect(() => signRelease({ ...release, secretPath: other.secretPath })).toThrow(
      `does not belong to ${publicPath}`,
    );
    expect(() => signRelease({ ...release, publicPath: join(folder, 'none.pub') })).toThrow(
      '--new-key FILE',
    );
    expect(() => signRelease({ ...release, secretPath: path })).toThrow(
      `${path}: This is not a minisign secret key`,
    );
    expect(readdirSync(folder)).not.toContain('SHA256SUMS.minisig');
  });
});
