import {
  type KeyObject,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  hash,
  randomBytes,
  sign,
  verify,
} from 'node:crypto';
import { type MultiplyU, isSoundPublicKeyWith } from '#core/domain/signing/ed25519.ts';
import { toBase64Url } from '#core/domain/text/base64.ts';
import type { Sha256 } from '#core/domain/signing/dsse.ts';

/** Public keys that were already parsed; bounded, because anyone can enroll. */
const MAX_CACHED_KEYS = 10_000;
const cachedKeys = new Map<string, KeyObject>();

export const sha256: Sha256 = (data) => hash('sha256', data, 'buffer');

export function sha256Hex(data: Uint8Array | string): string {
  return hash('sha256', data, 'hex');
}

/** A secret of 256 random bits, as text that fits a URL and a cookie. */
export function randomSecret(): string {
  return toBase64Url(randomBytes(32));
}

/** The only point of small order that a valid key can produce as R. OpenSSL versions differ on it. */
const IDENTITY = Buffer.from([1, ...Array<number>(31).fill(0)]);

/**
 * Verifies an Ed25519 signature. OpenSSL compares the bytes of R. So for a key that passed the check at enrollment,
 * it accepts exactly what the strict verifier of `core/domain/ed25519.ts` accepts.
 */
export function verifyEd25519(message: Uint8Array, signature: Uint8Array, publicKey: Uint8Array) {
  if (IDENTITY.equals(signature.subarray(0, 32))) return false;
  return verify(null, message, publicKeyObject(publicKey), signature);
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

/** Up to this size, verifying here takes less time than sending a message to another thread. */
const SMALL_BYTES = 64 * 1024;

/** Like `verifyEd25519`, but a large message does not block other work. */
export async function verifyEd25519Aside(
  message: Uint8Array,
  signature: Uint8Array,
  publicKey: Uint8Array,
): Promise<boolean> {
  if (message.length <= SMALL_BYTES) return verifyEd25519(message, signature, publicKey);
  if (IDENTITY.equals(signature.subarray(0, 32))) return false;
  return new Promise((resolve, reject) => {
    verify(null, message, publicKeyObject(publicKey), signature, (error, holds) => {
      if (error) reject(error);
      else resolve(holds);
    });
  });
}

export function signEd25519(message: Uint8Array, secretKey: KeyObject): Uint8Array {
  return sign(null, message, secretKey);
}

export function privateKeyObject(secretKey: Uint8Array, publicKey: Uint8Array): KeyObject {
  const key = { kty: 'OKP', crv: 'Ed25519', d: toBase64Url(secretKey), x: toBase64Url(publicKey) };
  return createPrivateKey({ key, format: 'jwk' });
}

export function publicKeyObject(publicKey: Uint8Array): KeyObject {
  const x = toBase64Url(publicKey);
  const known = cachedKeys.get(x);
  if (known) return known;
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  if (cachedKeys.size >= MAX_CACHED_KEYS) cachedKeys.clear();
  cachedKeys.set(x, key);
  return key;
}
