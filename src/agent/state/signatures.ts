/** Checks of signatures and keys with node:crypto, for logs with very many of them. */
import {
  type KeyObject,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  verify,
} from 'node:crypto';
import { type MultiplyU, isSoundPublicKeyWith } from '#core/domain/signing/ed25519.ts';
import { toBase64Url } from '#core/domain/text/base64.ts';

/** A bounded cache of parsed keys. */
const MAX_CACHED_KEYS = 10_000;
const cachedKeys = new Map<string, KeyObject>();

/** The only small-order point that can be R with a sound key. OpenSSL versions differ on it. */
const IDENTITY = Buffer.from([1, ...Array<number>(31).fill(0)]);

/**
 * Verifies an Ed25519 signature with a key that was checked to be sound, much faster than the strict verifier in
 * `core/domain/signing/ed25519.ts`. OpenSSL compares the bytes of R, so with such a key both accept the same.
 */
export function verifyEd25519(
  message: Uint8Array,
  signature: Uint8Array,
  publicKey: Uint8Array,
): boolean {
  if (IDENTITY.equals(signature.subarray(0, 32))) return false;
  return verify(null, message, keyObject(publicKey), signature);
}

function keyObject(publicKey: Uint8Array): KeyObject {
  const x = toBase64Url(publicKey);
  const known = cachedKeys.get(x);
  if (known) return known;
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  if (cachedKeys.size >= MAX_CACHED_KEYS) cachedKeys.clear();
  cachedKeys.set(x, key);
  return key;
}

/** The bytes before the 32 bytes of an X25519 key: private in PKCS #8, public in SPKI (RFC 8410). */
const X25519_PRIVATE = Buffer.from('302e020100300506032b656e04220420', 'hex');
const X25519_PUBLIC = Buffer.from('302a300506032b656e032100', 'hex');

/** X25519 of OpenSSL, which rejects a result of zero. */
const multiplyU: MultiplyU = (scalar, u) => {
  const secret = Buffer.concat([X25519_PRIVATE, scalar]);
  const point = Buffer.concat([X25519_PUBLIC, u]);
  try {
    return diffieHellman({
      privateKey: createPrivateKey({ key: secret, format: 'der', type: 'pkcs8' }),
      publicKey: createPublicKey({ key: point, format: 'der', type: 'spki' }),
    });
  } catch {
    return null;
  }
};

/** Whether a public key is acceptable; the same as in `core/domain/signing/ed25519.ts`, but faster. */
export function isSoundPublicKey(publicKey: Uint8Array): boolean {
  return isSoundPublicKeyWith(multiplyU, publicKey);
}
