/**
 * Keys that sign notes, and their text form, the vkey.
 *
 * @see {@link https://c2sp.org/signed-note@v1.0.0 | C2SP signed-note v1.0.0}
 * @module
 */
import { fromBase64, toBase64 } from '../text/base64.ts';
import { hex } from '../log/log-entry.ts';
import type { Sha256 } from '../signing/dsse.ts';
import { NoteError } from './note-error.ts';

/** The types of signatures that are known here, by their byte in keys. */
export const SIGNATURE_TYPES = {
  ed25519: 0x01,
  cosignature: 0x04,
  mlDsaCosignature: 0x06,
} as const;

/** The length of a public key in bytes, by type. */
const KEY_BYTES: ReadonlyMap<number, number> = new Map([
  [SIGNATURE_TYPES.ed25519, 32],
  [SIGNATURE_TYPES.cosignature, 32],
  [SIGNATURE_TYPES.mlDsaCosignature, 1312],
]);

/** The most characters of a name, and of a vkey. An ML-DSA-44 key has 1,752 characters of base64. */
const MAX_NAME = 255;
const MAX_VKEY = 2_500;

/** A public key under a name. Name and ID together identify it in a note. */
export interface NoteKey {
  /** 1 to 255 characters, without spaces and plus signs. For a log, its origin. */
  name: string;
  /** 8 lower-case hex digits. */
  id: string;
  /** One of {@linkcode SIGNATURE_TYPES}. */
  type: number;
  publicKey: Uint8Array;
}

// Spaces as Unicode defines them, which include U+0085, and control characters.
// oxlint-disable-next-line no-control-regex
const NOT_IN_NAMES = /[\s\u0000-\u001f\u0085+]/u;

/** Whether a text can name a key. */
export function isKeyName(name: string): boolean {
  return name !== '' && name.length <= MAX_NAME && name.isWellFormed() && !NOT_IN_NAMES.test(name);
}

/**
 * Gives a public key a name, from which its ID follows: the first 4 bytes of the SHA-256 of name, line feed, type and key.
 *
 * @throws {NoteError} `key_invalid` if the name or the key's length is not valid.
 */
export function noteKey(
  name: string,
  type: number,
  publicKey: Uint8Array,
  sha256: Sha256,
): NoteKey {
  if (!isKeyName(name)) {
    throw new NoteError('key_invalid', 'A key name must not be empty or contain spaces or "+"');
  }
  const bytes = KEY_BYTES.get(type);
  if (bytes === undefined) throw new NoteError('key_invalid', `Signature type ${type} is unknown`);
  if (publicKey.length !== bytes) {
    const message = `A key of type ${type} has ${bytes} bytes, not ${publicKey.length}`;
    throw new NoteError('key_invalid', message);
  }
  const head = new TextEncoder().encode(`${name}\n`);
  const id = hex(sha256(Buffer.concat([head, typed(type, publicKey)])).subarray(0, 4));
  return { name, id, type, publicKey };
}

/** The text of a key: name, ID and the base64 of type and key, joined by plus signs. */
export function vkeyOf({ name, id, type, publicKey }: NoteKey): string {
  return `${name}+${id}+${toBase64(typed(type, publicKey))}`;
}

/**
 * Parses a vkey.
 *
 * @throws {NoteError} `key_invalid` if it is malformed, of an unknown type, or its ID does not match.
 */
export function parseVkey(text: string, sha256: Sha256): NoteKey {
  const [, name, id, encoded] = /^([^+]+)\+([0-9a-f]{8})\+([^-_]+)$/.exec(text) ?? [];
  const bytes = text.length <= MAX_VKEY && encoded !== undefined ? fromBase64(encoded) : null;
  const [type] = bytes ?? [];
  if (!bytes || type === undefined || name === undefined) {
    throw new NoteError('key_invalid', 'A vkey has the form name+8 hex digits+base64');
  }
  // A copy, because decoded bytes may be part of a larger buffer.
  const key = noteKey(name, type, new Uint8Array(bytes.subarray(1)), sha256);
  if (key.id !== id) {
    throw new NoteError('key_invalid', `The ID of the key ${name} is ${key.id}, not ${id}`);
  }
  return key;
}

function typed(type: number, publicKey: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.of(type), publicKey]);
}
