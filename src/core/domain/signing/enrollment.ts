/** Enrollment: a one-time code binds a device's key to an account, and a signature proves possession of the key. */
import {
  ENROLLMENT_PAYLOAD_TYPE,
  ENROLLMENT_TYPE,
  EnrollmentStatement,
} from '#core/schema/device.ts';
import type { Envelope } from '#core/schema/snapshot.ts';
import { fromBase64Url } from '../text/base64.ts';
import { type Sha256, keyIdOf, seal, takeApart } from './dsse.ts';
import { type Sign, type Verify, isSoundPublicKey } from './ed25519.ts';
import { DomainError } from '../text/errors.ts';
import { parseAs } from '../text/faults.ts';
import { parseJsonBytes } from '../text/json.ts';

/** Crockford's base32: no I, L, O, U. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const CODE_LENGTH = 15;

/** How long a code can be used, in milliseconds (10 minutes). */
export const CODE_TTL_MS = 10 * 60 * 1000;

/** Formats 15 random bytes as a code of 75 bits, `XXXXX-XXXXX-XXXXX`. */
export function formatCode(random: Uint8Array): string {
  const digits = Array.from(random.subarray(0, CODE_LENGTH), (byte) => ALPHABET[byte % 32]);
  return [digits.slice(0, 5), digits.slice(5, 10), digits.slice(10)]
    .map((group) => group.join(''))
    .join('-');
}

/**
 * The canonical spelling of a typed code: upper case, digits instead of look-alike letters, no dashes or spaces. Null
 * if it is not a code.
 *
 * @see {@link https://www.crockford.com/base32.html | Crockford base 32}
 */
export function normalizeCode(typed: string): string | null {
  const plain = typed.toUpperCase().replace(/[\s-]/g, '').replace(/O/g, '0').replace(/[IL]/g, '1');
  const isCode = plain.length === CODE_LENGTH && [...plain].every((c) => ALPHABET.includes(c));
  return isCode ? plain : null;
}

/** The contents of the enrollment proof without its `type`. */
export type EnrollmentClaim = Omit<EnrollmentStatement, 'type'>;

/** Signs the proof with the key that it names. */
export async function proveEnrollment(
  claim: EnrollmentClaim,
  key: { keyid: string; sign: Sign },
): Promise<Envelope> {
  const statement: EnrollmentStatement = { type: ENROLLMENT_TYPE, ...claim };
  const payload = new TextEncoder().encode(JSON.stringify(statement));
  return seal(ENROLLMENT_PAYLOAD_TYPE, payload, key);
}

/** The request that a proof belongs to, as the board knows it. */
export interface ProvenRequest {
  audience: string;
  /** SHA-256 of the normalized code, hex. */
  code_hash: string;
  /** base64url of 32 bytes. */
  public_key: string;
  installation_id: string;
  /** The device that the new one replaces, if any. */
  replaces?: string | undefined;
}

/**
 * Checks the key and its proof. Returns the key's name and raw bytes.
 *
 * @param maxSkewMs How far `issued_at` may be from `nowMs`, either way.
 * @throws {DomainError} `public_key_invalid` if the key is not an acceptable Ed25519 key.
 * @throws {DomainError} `audience_mismatch` if the proof was made for another address.
 * @throws {DomainError} `proof_invalid` if the proof is not this key's signature over this request.
 * @throws {DomainError} `snapshot_stale` if the proof was issued too far from now.
 */
export async function checkEnrollment(
  request: ProvenRequest,
  proof: unknown,
  tools: { verify: Verify; sha256: Sha256; nowMs: number; maxSkewMs: number },
): Promise<{ keyid: string; publicKey: Uint8Array }> {
  const publicKey = fromBase64Url(request.public_key);
  if (publicKey?.length !== 32 || !isSoundPublicKey(publicKey)) {
    throw new DomainError('public_key_invalid', 'The public key is not a valid Ed25519 key');
  }
  const keyid = keyIdOf(publicKey, tools.sha256);
  const envelope = takeApart(proof, ENROLLMENT_PAYLOAD_TYPE);
  const proven =
    envelope.keyid === keyid &&
    (await tools.verify(envelope.signed, envelope.signature, publicKey));
  if (!proven) throw new DomainError('proof_invalid', 'The key did not sign the proof');

  const statement = parseAs(EnrollmentStatement, parseJsonBytes(envelope.payload), 'The proof');
  if (statement.audience !== request.audience) {
    const detail = `This board is ${request.audience}, but the proof is for ${statement.audience}`;
    throw new DomainError('audience_mismatch', detail);
  }
  for (const field of ['code_hash', 'public_key', 'installation_id', 'replaces'] as const) {
    if (statement[field] !== request[field]) {
      throw new DomainError('proof_invalid', `The proof has a different ${field}`);
    }
  }
  if (Math.abs(Date.parse(statement.issued_at) - tools.nowMs) > tools.maxSkewMs) {
    throw new DomainError(
      'snapshot_stale',
      "The proof's issued_at is too far from the board's clock",
    );
  }
  return { keyid, publicKey };
}
