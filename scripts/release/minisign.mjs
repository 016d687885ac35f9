// Creates keys and signatures in the format of minisign, so that everyone can verify a release with a program that
// they have. src/server/admin/upgrade/minisign.ts verifies these signatures.
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  randomBytes,
  sign as signEd25519,
} from 'node:crypto';

/** The fields of a secret key that is not encrypted: algorithms without key derivation, then unused parameters. */
const ALGORITHMS = Buffer.from('Ed\0\0B2', 'latin1');
const PARAMETERS_BYTES = 48;
const ID_BYTES = 8;
const KEY_BYTES = 32;
/** Zeros in keys that are not encrypted. Otherwise it detects a wrong password. */
const CHECKSUM_BYTES = 32;
const SECRET_BYTES =
  ALGORITHMS.length + PARAMETERS_BYTES + ID_BYTES + 2 * KEY_BYTES + CHECKSUM_BYTES;
const PUBLIC_BYTES = 2 + ID_BYTES + KEY_BYTES;
/** An Ed25519 private key in PKCS #8, up to its 32 bytes. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Creates a key pair like `minisign -G -W`: two texts, each for a file. */
export function newKeyPair() {
  const { privateKey } = generateKeyPairSync('ed25519');
  const { d } = privateKey.export({ format: 'jwk' });
  const seed = Buffer.from(d, 'base64url');
  const id = randomBytes(ID_BYTES);
  const secret = Buffer.concat([
    ALGORITHMS,
    Buffer.alloc(PARAMETERS_BYTES),
    id,
    seed,
    publicBytes(privateKey),
    Buffer.alloc(CHECKSUM_BYTES),
  ]);
  return {
    publicKey: publicKeyText(id, publicBytes(privateKey)),
    secretKey: `untrusted comment: minisign secret key ${shownId(id)}\n${secret.toString('base64')}\n`,
  };
}

/** The text of the public key that belongs to a secret key. */
export function publicKeyOf(secretKey) {
  const { id, key } = readSecretKey(secretKey);
  return publicKeyText(id, publicBytes(key));
}

/**
 * Signs bytes like `minisign -S`, and the comment with them.
 *
 * @param trustedComment One line.
 * @returns The text of the `.minisig` file.
 */
export function sign({ bytes, secretKey, trustedComment }) {
  if (/[\r\n]/.test(trustedComment)) throw new Error('A trusted comment is one line');
  const { id, key } = readSecretKey(secretKey);
  const signature = signEd25519(null, createHash('blake2b512').update(bytes).digest(), key);
  const signed = Buffer.concat([signature, Buffer.from(trustedComment)]);
  return [
    `untrusted comment: signature by minisign secret key ${shownId(id)}`,
    Buffer.concat([Buffer.from('ED'), id, signature]).toString('base64'),
    `trusted comment: ${trustedComment}`,
    signEd25519(null, signed, key).toString('base64'),
    '',
  ].join('\n');
}

/**
 * The bytes of a public key, as base64 and without the comment.
 *
 * @throws {Error} if the text is not a public key.
 */
export function readPublicKey(text) {
  const bytes = Buffer.from(secondLine(text), 'base64');
  if (bytes.length !== PUBLIC_BYTES || bytes.toString('latin1', 0, 2) !== 'Ed') {
    throw new Error('This is not a minisign public key');
  }
  return bytes.toString('base64');
}

/** @throws {Error} if the text is not a secret key, or is encrypted. */
function readSecretKey(text) {
  const bytes = Buffer.from(secondLine(text), 'base64');
  if (bytes.length !== SECRET_BYTES || bytes.toString('latin1', 0, 2) !== 'Ed') {
    throw new Error('This is not a minisign secret key');
  }
  if (!bytes.subarray(0, ALGORITHMS.length).equals(ALGORITHMS)) {
    throw new Error('The secret key is encrypted. Create one without a password: --new-key FILE');
  }
  const at = ALGORITHMS.length + PARAMETERS_BYTES;
  const seedAt = at + ID_BYTES;
  const seed = bytes.subarray(seedAt, seedAt + KEY_BYTES);
  const key = createPrivateKey({
    key: Buffer.concat([PKCS8, seed]),
    format: 'der',
    type: 'pkcs8',
  });
  const stated = bytes.subarray(seedAt + KEY_BYTES, seedAt + 2 * KEY_BYTES);
  if (!publicBytes(key).equals(stated)) throw new Error('The secret key is damaged');
  return { id: bytes.subarray(at, seedAt), key };
}

function secondLine(text) {
  return text.split(/\r?\n/)[1] ?? '';
}

function publicKeyText(id, bytes) {
  const key = Buffer.concat([Buffer.from('Ed'), id, bytes]).toString('base64');
  return `untrusted comment: minisign public key ${shownId(id)}\n${key}\n`;
}

function publicBytes(key) {
  return Buffer.from(createPublicKey(key).export({ format: 'jwk' }).x, 'base64url');
}

/** minisign shows the ID as a number in little-endian order. */
function shownId(id) {
  return Buffer.from(id).reverse().toString('hex').toUpperCase();
}
