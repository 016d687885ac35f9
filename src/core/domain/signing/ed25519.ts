/**
 * Ed25519 without node:crypto, for operators' devices and as an independent implementation in tests. It is strict:
 * no accepted key or signature has a torsion component. It therefore agrees on all input with verifiers that compute
 * R' = sB - kA and compare bytes (OpenSSL 3.5).
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc8032#section-5.1.7 | RFC 8032, section 5.1.7}
 * @module
 */
import { Point, etc, getPublicKeyAsync, signAsync, utils, verifyAsync } from '@noble/ed25519';

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

/** X25519 of RFC 7748: multiplies the u coordinate of a point. Null if the result is zero. */
export type MultiplyU = (scalar: Uint8Array, u: Uint8Array) => Uint8Array | null;

/** The order of the prime-order group, and the prime of the field. */
const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;
const PRIME = 2n ** 255n - 19n;

/**
 * A multiple of 8 that is -1 modulo the group's order, and that X25519 uses as it is. Multiplied by it, a point loses
 * its torsion component and changes its sign, which u does not show.
 */
const CLEARING = 8n * ORDER - 8n * etc.invert(8n, ORDER);

/**
 * The same as {@linkcode isSoundPublicKey}, in a quarter of the time, with an X25519 that is faster than the group
 * operations here. A point without torsion component, and no other, keeps its u coordinate.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc7748#section-4.1 | RFC 7748, section 4.1} for the map between the curves
 */
export function isSoundPublicKeyWith(multiplyU: MultiplyU, publicKey: Uint8Array): boolean {
  try {
    const { y } = Point.fromBytes(publicKey, false).toAffine();
    const u = littleEndian(etc.mod((1n + y) * etc.invert(etc.mod(1n - y, PRIME), PRIME), PRIME));
    const cleared = multiplyU(littleEndian(CLEARING), u);
    return cleared !== null && u.every((byte, at) => byte === cleared[at]);
  } catch {
    return false;
  }
}

function littleEndian(number: bigint): Uint8Array {
  return Buffer.from(number.toString(16).padStart(64, '0'), 'hex').reverse();
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
