/**
 * Cosignatures: a witness states that at a time, this was the largest consistent checkpoint that it had seen.
 *
 * @see {@link https://c2sp.org/tlog-cosignature@v1.0.1 | C2SP tlog-cosignature v1.0.1}
 * @module
 */
import type { Verify } from '../signing/ed25519.ts';
import { type NoteKey, SIGNATURE_TYPES } from './note-key.ts';
import { type Note, type NoteSignature, type SignNow, signatureBy } from './note.ts';
import { NoteError } from './note-error.ts';

const TIME_BYTES = 8;
const SIGNATURE_BYTES = 64;

/**
 * The bytes that an Ed25519 cosignature covers.
 *
 * @param text The checkpoint's text, with the line feed at the end.
 * @param seconds Whole seconds since 1970.
 */
export function cosignedMessage(text: string, seconds: number): Uint8Array {
  return new TextEncoder().encode(`cosignature/v1\ntime ${seconds}\n${text}`);
}

/** Cosigns a checkpoint's text with an Ed25519 key of type 0x04. */
export function cosign(
  text: string,
  { name, id }: NoteKey,
  { sign, seconds }: { sign: SignNow; seconds: number },
): NoteSignature {
  const time = Buffer.alloc(TIME_BYTES);
  time.writeBigUInt64BE(BigInt(seconds));
  const signature = sign(cosignedMessage(text, seconds));
  return { name, id, signature: new Uint8Array(Buffer.concat([time, signature])) };
}

/**
 * Verifies the cosignature of a key. A key of another type than 0x04 cannot be verified here and counts as absent.
 *
 * @returns When it was made, in seconds since 1970; null if the key did not cosign.
 * @throws {NoteError} `signature_invalid` if the cosignature is wrong.
 */
export async function verifyCosignature(
  note: Note,
  key: NoteKey,
  verify: Verify,
): Promise<number | null> {
  const found = key.type === SIGNATURE_TYPES.cosignature ? signatureBy(key, note) : null;
  if (!found) return null;
  const seconds = timeOf(found.signature);
  const message = seconds === null ? null : cosignedMessage(note.text, seconds);
  const signature = found.signature.subarray(TIME_BYTES);
  if (message && (await verify(message, signature, key.publicKey))) return seconds;
  throw new NoteError('signature_invalid', `The cosignature by ${key.name} is not valid`);
}

/** The time in a cosignature; null if the bytes are not one. */
function timeOf(bytes: Uint8Array): number | null {
  if (bytes.length !== TIME_BYTES + SIGNATURE_BYTES) return null;
  const seconds = Number(Buffer.from(bytes).readBigUInt64BE());
  return Number.isSafeInteger(seconds) ? seconds : null;
}
