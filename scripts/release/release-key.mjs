// The key that signs releases. Its public part is in the repository and in the program; its secret part belongs to
// the publisher of releases, and is in neither.
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ROOT } from '../runtime.mjs';
import { newKeyPair, publicKeyOf, readPublicKey, sign } from './minisign.mjs';

export const PUBLIC_KEY = join(ROOT, '.config', 'release-key.pub');

/**
 * Writes a new secret key to a file that only its owner can read, and the public key next to the build's settings.
 *
 * @throws {Error} if either file exists.
 */
export function createReleaseKey(secretPath, publicPath = PUBLIC_KEY) {
  for (const path of [secretPath, publicPath]) {
    if (existsSync(path)) {
      throw new Error(
        `${path} already exists. Programs with the key in it accept no release of another key. Move the file away to start with a new key`,
      );
    }
  }
  const { publicKey, secretKey } = newKeyPair();
  writeFileSync(secretPath, secretKey, { mode: 0o600, flag: 'wx' });
  try {
    writeFileSync(publicPath, publicKey, { flag: 'wx' });
  } catch (error) {
    rmSync(secretPath);
    throw error;
  }
}

/**
 * Writes the signature of a file to `PATH.minisig`.
 *
 * @throws {Error} if the secret key does not belong to the public key that programs of this release contain.
 */
export function signRelease({ path, version, secretPath, publicPath = PUBLIC_KEY }) {
  if (!existsSync(publicPath)) {
    throw new Error(`${publicPath} is missing. Create a key: npm run release -- --new-key FILE`);
  }
  const secretKey = inFile(secretPath, (text) => ({ text, publicKey: publicKeyOf(text) }));
  if (readPublicKey(secretKey.publicKey) !== inFile(publicPath, readPublicKey)) {
    throw new Error(
      `${secretPath} does not belong to ${publicPath}, so no program could verify its signature. Use the secret key that was created together with it`,
    );
  }
  const signature = sign({
    bytes: readFileSync(path),
    secretKey: secretKey.text,
    // Without a time, so that two signatures of the same release are the same bytes.
    trustedComment: `file:${basename(path)}\tversion:${version}`,
  });
  writeFileSync(`${path}.minisig.tmp`, signature);
  renameSync(`${path}.minisig.tmp`, `${path}.minisig`);
}

/** Reads a file, and names it in errors about its content. */
function inFile(path, read) {
  const text = readFileSync(path, 'utf8');
  try {
    return read(text);
  } catch (error) {
    throw new Error(`${path}: ${error.message}`, { cause: error });
  }
}
