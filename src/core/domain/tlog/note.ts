/**
 * Signed notes: a text, an empty line, and one line for each signature.
 *
 * @see {@link https://c2sp.org/signed-note@v1.0.0 | C2SP signed-note v1.0.0}
 * @module
 */
import { fromBase64, toBase64 } from '../text/base64.ts';
import { fromHex, hex } from '../log/log-entry.ts';
import type { Verify } from '../signing/ed25519.ts';
import { type NoteKey, SIGNATURE_TYPES, isKeyName } from './note-key.ts';
import { NoteError } from './note-error.ts';

/** A signature in a note, by whichever key. */
export interface NoteSignature {
  name: string;
  /** The key's ID: 8 lower-case hex digits. */
  id: string;
  /** The bytes after the ID. Their form depends on the key's type. */
  signature: Uint8Array;
}

/** A note whose signatures are not verified yet. */
export interface Note {
  /** With the line feed at the end. */
  text: string;
  /** At least one, in order. */
  signatures: NoteSignature[];
}

/** Limits of a note: its length in characters, and its signatures. One of ML-DSA-44 has 3.3 kB. */
const MAX_NOTE = 512 * 1024;
const MAX_SIGNATURES = 100;

const SIGNATURE_START = '\u2014 ';

// The standard forbids control characters other than the line feed.
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0009\u000b-\u001f]/;

/**
 * Parses a note.
 *
 * @throws {NoteError} `note_invalid` if it is malformed or too large.
 */
export function parseNote(note: string): Note {
  if (note.length > MAX_NOTE) throw invalid(`A note has at most ${MAX_NOTE} characters`);
  if (!note.isWellFormed()) throw invalid('A note must be Unicode text');
  const control = CONTROL.exec(note);
  if (control)
    throw invalid('A note must not contain control characters', lineAt(note, control.index));
  const end = note.lastIndexOf('\n\n');
  if (end === -1) throw invalid('An empty line must separate the text from the signatures');
  const text = note.slice(0, end + 1);
  const first = lineAt(note, end + 2);
  return { text, signatures: parseSignatures(note.slice(end + 2), first) };
}

/**
 * Parses signature lines, each with a line feed at the end.
 *
 * @param first The number of the first line, for messages.
 * @throws {NoteError} `note_invalid` if a line is malformed, or there are none or too many.
 */
export function parseSignatures(lines: string, first = 1): NoteSignature[] {
  if (!lines.endsWith('\n')) throw invalid('The last signature must end with a line feed');
  const found = lines.slice(0, -1).split('\n', MAX_SIGNATURES + 1);
  if (found.length > MAX_SIGNATURES)
    throw invalid(`A note has at most ${MAX_SIGNATURES} signatures`);
  return found.map((line, at) => parseSignature(line, first + at));
}

function parseSignature(line: string, number: number): NoteSignature {
  const [name = '', encoded = '', ...more] = line.slice(SIGNATURE_START.length).split(' ', 3);
  const bytes = fromBase64(encoded);
  const isSound = line.startsWith(SIGNATURE_START) && isKeyName(name) && more.length === 0;
  if (!isSound || !bytes || bytes.length < 5) {
    throw invalid('A signature is an em dash, a key name and base64', number);
  }
  // A copy, because decoded bytes may be part of a larger buffer.
  return { name, id: hex(bytes.subarray(0, 4)), signature: new Uint8Array(bytes.subarray(4)) };
}

/**
 * A note with its signatures.
 *
 * @param text One or more lines, each with a line feed at the end.
 */
export function noteOf(text: string, signatures: readonly NoteSignature[]): string {
  return `${text}\n${signatures.map(signatureLine).join('')}`;
}

/** The line of a signature, with a line feed at the end. */
export function signatureLine({ name, id, signature }: NoteSignature): string {
  return `${SIGNATURE_START}${name} ${toBase64(Buffer.concat([fromHex(id), signature]))}\n`;
}

/** Signs a message; the result has 64 bytes. */
export type SignNow = (message: Uint8Array) => Uint8Array;

/** Signs the text of a note with an Ed25519 key (type 0x01). */
export function signNote(text: string, { name, id }: NoteKey, sign: SignNow): NoteSignature {
  return { name, id, signature: sign(new TextEncoder().encode(text)) };
}

/** The first signature of a note that names this key; null if there is none. */
export function signatureBy({ name, id }: NoteKey, { signatures }: Note): NoteSignature | null {
  return signatures.find((each) => each.name === name && each.id === id) ?? null;
}

/**
 * Verifies the Ed25519 signature (type 0x01) of a key. Signatures by other keys are ignored.
 *
 * @throws {NoteError} `signature_missing` if the key did not sign, `signature_invalid` if its signature is wrong.
 */
export async function verifyNote(note: Note, key: NoteKey, verify: Verify): Promise<void> {
  const found = key.type === SIGNATURE_TYPES.ed25519 ? signatureBy(key, note) : null;
  if (!found) throw new NoteError('signature_missing', `The note has no signature by ${key.name}`);
  const message = new TextEncoder().encode(note.text);
  const { signature } = found;
  if (signature.length === 64 && (await verify(message, signature, key.publicKey))) return;
  throw new NoteError('signature_invalid', `The signature by ${key.name} is not valid`);
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}

function invalid(message: string, line: number | null = null): NoteError {
  return new NoteError('note_invalid', message, line);
}
