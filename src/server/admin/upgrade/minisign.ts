/** Verifies the signature of a release, in the format of minisign. `scripts/release/minisign.mjs` makes it. */
import { createHash } from 'node:crypto';
import { verifyEd25519 } from '#server/process/crypto.ts';
import { refused } from './upgrade-error.ts';

/** Names the algorithm: `ED` signs a hash of the file, `Ed` the file itself. */
const ALGORITHM_BYTES = 2;
const ID_BYTES = 8;
const KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;

interface SignedFile {
  name: string;
  bytes: Uint8Array;
  /** The content of `NAME.minisig`. */
  signature: string;
  /** The content of a public key file. */
  publicKey: string;
}

/**
 * Legacy signatures (`Ed`) are rejected. Every signature file also has a signature of its comment, which the same key
 * makes without hashing, so it could be passed off as a legacy signature of another file.
 *
 * @throws {UpgradeError} unless the key signed exactly these bytes and the comment in the signature.
 */
export function verifySignature({ name, bytes, signature, publicKey }: SignedFile): void {
  const key = readPublicKey(publicKey);
  const signed = readSignature(name, signature);
  if (signed.algorithm !== 'ED') {
    throw refused(`${name}.minisig is a legacy signature. Ask the publisher for another one`);
  }
  if (!signed.id.equals(key.id)) {
    throw refused(
      `${name} is signed with the key ${shownId(signed.id)}, but this program trusts only ${shownId(key.id)}. Check UPDATE_URL. If the publisher announced a new key, download the new version by hand and verify it with minisign`,
    );
  }
  const hash = createHash('blake2b512').update(bytes).digest();
  if (!verifyEd25519(hash, signed.value, key.bytes)) {
    throw refused(
      `The signature of ${name} is wrong, so the release is damaged or not the publisher's. Do not install it. Report it to the publisher`,
    );
  }
  const commented = Buffer.concat([signed.value, signed.comment]);
  if (!verifyEd25519(commented, signed.ofComment, key.bytes)) {
    throw refused(
      `The comment in ${name}.minisig was changed after it was signed. Do not install this release. Report it to the publisher`,
    );
  }
}

/** @throws {UpgradeError} if the text is not a public key. */
function readPublicKey(text: string): { id: Buffer; bytes: Buffer } {
  const bytes = Buffer.from(text.split(/\r?\n/)[1] ?? '', 'base64');
  const isKey = bytes.toString('latin1', 0, ALGORITHM_BYTES) === 'Ed';
  if (!isKey || bytes.length !== ALGORITHM_BYTES + ID_BYTES + KEY_BYTES) {
    throw refused(
      'The release key in this build of opbench-board is damaged. Download the new version by hand',
    );
  }
  const keyAt = ALGORITHM_BYTES + ID_BYTES;
  return { id: bytes.subarray(ALGORITHM_BYTES, keyAt), bytes: bytes.subarray(keyAt) };
}

const SIGNATURE_FILE =
  /^untrusted comment: [^\r\n]*\r?\n([\w+/=]+)\r?\ntrusted comment: ([^\r\n]*)\r?\n([\w+/=]+)(?:\r?\n)?$/;

function readSignature(name: string, text: string) {
  const [, first = '', comment = '', last = ''] = SIGNATURE_FILE.exec(text) ?? [];
  const bytes = Buffer.from(first, 'base64');
  const ofComment = Buffer.from(last, 'base64');
  const valueAt = ALGORITHM_BYTES + ID_BYTES;
  if (bytes.length !== valueAt + SIGNATURE_BYTES || ofComment.length !== SIGNATURE_BYTES) {
    throw refused(
      `${name}.minisig is not a minisign signature. Check UPDATE_URL, or ask the publisher`,
    );
  }
  return {
    algorithm: bytes.toString('latin1', 0, ALGORITHM_BYTES),
    id: bytes.subarray(ALGORITHM_BYTES, valueAt),
    value: bytes.subarray(valueAt),
    comment: Buffer.from(comment),
    ofComment,
  };
}

/** minisign shows the ID as a number in little-endian order. */
function shownId(id: Buffer): string {
  return Buffer.from(id).reverse().toString('hex').toUpperCase();
}
