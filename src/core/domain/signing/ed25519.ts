/**
 * Ed25519 without node:crypto, for operators' devices and as an independent implementation in tests. It is strict:
 * no accepted key or signature has a torsion component. It therefore agrees on all input with verifiers that compute
 * R' = sB - kA and compare bytes (OpenSSL 3.5).
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc8032#section-5.1.7 | RFC 8032, section 5.1.7}
 * @module
 */
import { Point, getPublicKeyAsync, signAsync, utils, verifyAsync } from '@noble/ed25519';

/** Whether `publicKey` (32 bytes) signed `message` with `signature` (64 bytes). */
export type Verify = (
  message: Uint8Array,
  signature: Uint8Array,
  publicKey: Uint8Array,
) => boolean | Promise<boolean>;

/** Signs a message; the result has 64 bytes. */
export type Sign = (message: Uint8Array) => Uint8Array | Promise<Uint8Array>;

/** A private key as 32 bytes of seed (RFC 8032) with its public key, 32 bytes. */
export interface KeyPair {
  secretKey: Uint8Array;
  publicKey: Uint8Array;
}

/** Generates a key with the runtime's secure random generator. */
export async function generateKeyPair(): Promise<KeyPair> {
  const secretKey = utils.randomSecretKey();
  return { secretKey, publicKey: await getPublicKeyAsync(secretKey) };
}

/** A signer for a private key of 32 bytes. */
export function signerOf(secretKey: Uint8Array): Sign {
  return (message) => signAsync(message, secretKey);
}

/**
 * Whether 32 bytes are an acceptable public key: canonically encoded, on the curve, not of small order and without
 * torsion component. Checked once, at enrollment.
 */
export function isSoundPublicKey(publicKey: Uint8Array): boolean {
  return isSoundPoint(publicKey);
}

/** Verifies strictly. Rejects R outside the prime-order group and S not below the group order. */
export const verifyStrict: Verify = async (message, signature, publicKey) => {
  if (signature.length !== 64 || !isSoundPublicKey(publicKey)) return false;
  if (!isSoundPoint(signature.subarray(0, 32))) return false;
  try {
    return await verifyAsync(signature, message, publicKey, { zip215: false });
  } catch {
    return false;
  }
};

/** Whether 32 bytes are the canonical encoding of a point in the prime-order group other than the identity. */
function isSoundPoint(bytes: Uint8Array): boolean {
  try {
    const point = Point.fromBytes(bytes, false);
    return !point.isSmallOrder() && point.isTorsionFree();
  } catch {
    return false;
  }
}
