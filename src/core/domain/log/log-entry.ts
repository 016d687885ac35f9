/**
 * The log: typed entries, each with the hash of the one before. A payload can be erased without breaking the chain,
 * because the hash covers only the payload's salted digest.
 *
 * @module
 */
import { LogKind } from '#core/schema/log.ts';
import type { Sha256 } from '../signing/dsse.ts';

/** The previous hash of the first entry: 64 zeros. */
export const GENESIS_HASH = '0'.repeat(64);

/** The number of random bytes before each payload. */
export const SALT_BYTES = 32;

/** The part of an entry that its hash covers, without the digest. */
export interface LogEntryHead {
  /** 1 for the first entry, without gaps. */
  index: number;
  kind: LogKind;
  /** The hash of the entry before, 64 hex digits. */
  previous: string;
  /** RFC 3339 with milliseconds, UTC. */
  received_at: string;
}

/** SHA-256 of the salt and the payload, hex. */
export function payloadDigest(salt: Uint8Array, payload: Uint8Array, sha256: Sha256): string {
  return hex(sha256(concat(salt, payload)));
}

/**
 * The text that an entry's hash covers, which is also its leaf in the Merkle tree:
 * `index\nkind\nprevious\nreceived_at\nhex(SHA-256(salt || payload))\n`.
 */
export function entryText(head: LogEntryHead, digest: string): string {
  const { index, kind, previous, received_at } = head;
  return `${index}\n${kind}\n${previous}\n${received_at}\n${digest}\n`;
}

/** The entry's hash, 64 hex digits: SHA-256 of {@linkcode entryText}. */
export function entryHash(head: LogEntryHead, digest: string, sha256: Sha256): string {
  return hex(sha256(entryText(head, digest)));
}

// Later versions may add kinds.
const ENTRY_TEXT =
  /^([1-9]\d{0,14})\n([a-z][a-z-]{0,39})\n([0-9a-f]{64})\n(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)\n([0-9a-f]{64})\n$/;

/** The parts of what {@linkcode entryText} returns, with a kind that may be of a later version. Null for any other text. */
export function entryParts(text: string) {
  const found = ENTRY_TEXT.exec(text);
  if (!found) return null;
  const [, index, kind = '', previous = '', received_at = '', payload_digest = ''] = found;
  return { index: Number(index), kind, previous, received_at, payload_digest };
}

/** The same for an entry of a known kind and an instant that exists. */
export function readEntryText(text: string): (LogEntryHead & { payload_digest: string }) | null {
  const parts = entryParts(text);
  const known = LogKind.safeParse(parts?.kind);
  if (!parts || !known.success || !isInstant(parts.received_at)) return null;
  return { ...parts, kind: known.data };
}

/** Rejects instants that do not exist, such as 31 February. */
function isInstant(text: string): boolean {
  const ms = Date.parse(text);
  return !Number.isNaN(ms) && new Date(ms).toISOString() === text;
}

/** Bytes as lower-case hex. */
export function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
}

/** The bytes of lower-case hex. The text must be valid. */
export function fromHex(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'hex'));
}

function concat(a: Uint8Array, b: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(a.length + b.length);
  bytes.set(a);
  bytes.set(b, a.length);
  return bytes;
}
