/**
 * The DSSE envelope: a signature over the type and the exact bytes of a payload, so that no canonical form is needed.
 *
 * @see {@link https://github.com/secure-systems-lab/dsse/blob/v1.0.2/protocol.md | DSSE v1.0 protocol}
 * @module
 */
import { Envelope } from '#core/schema/snapshot.ts';
import {
  decodedLength,
  fromBase64,
  fromBase64After,
  toBase64,
  toBase64Url,
} from '../text/base64.ts';
import type { Sign } from './ed25519.ts';
import { DomainError } from '../text/errors.ts';
import { hasFewEscapes, hasFewParts, parseJson } from '../text/json.ts';

/** SHA-256 of bytes, or of a text's UTF-8: 32 bytes. */
export type Sha256 = (data: Uint8Array | string) => Uint8Array;

/** An envelope of the right type. Its payload may be large and is not decoded yet. */
export interface SealedEnvelope {
  payloadType: string;
  keyid: string;
  /** Should be Base64, but is not checked yet. */
  payload: string;
  sig: string;
}

/** The parts of an envelope. The signature is not verified yet. */
export interface OpenedEnvelope {
  payloadType: string;
  keyid: string;
  payload: Uint8Array;
  /** 64 bytes. */
  signature: Uint8Array;
  /** The bytes that the signature must cover. */
  signed: Uint8Array;
}

/**
 * The pre-authentication encoding: the bytes that are signed instead of the bare payload.
 *
 * @example `DSSEv1 29 http://example.com/HelloWorld 11 hello world`
 */
export function preAuthEncoding(payloadType: string, payload: Uint8Array): Uint8Array {
  const head = signedHead(payloadType, payload.length);
  const bytes = new Uint8Array(head.length + payload.length);
  bytes.set(head);
  bytes.set(payload, head.length);
  return bytes;
}

function signedHead(payloadType: string, payloadLength: number): Uint8Array {
  const type = new TextEncoder().encode(payloadType);
  return new TextEncoder().encode(`DSSEv1 ${type.length} ${payloadType} ${payloadLength} `);
}

/** The signed bytes for a payload in Base64; null if the Base64 is not canonical. */
function signedOf(payloadType: string, payload: string): Uint8Array | null {
  return fromBase64After(signedHead(payloadType, decodedLength(payload)), payload);
}

/** A key's name: `SHA256:` and the SHA-256 of its 32 raw bytes in base64url. */
export function keyIdOf(publicKey: Uint8Array, sha256: Sha256): string {
  return `SHA256:${toBase64Url(sha256(publicKey))}`;
}

/** The envelope of a payload and its one signature. */
export function envelopeOf(
  payloadType: string,
  payload: Uint8Array,
  keyid: string,
  signature: Uint8Array,
): Envelope {
  const signatures = [{ keyid, sig: toBase64(signature) }];
  return { payloadType, payload: toBase64(payload), signatures };
}

/** Signs payload bytes with one key. */
export async function seal(
  payloadType: string,
  payload: Uint8Array,
  key: { keyid: string; sign: Sign },
): Promise<Envelope> {
  const signature = await key.sign(preAuthEncoding(payloadType, payload));
  return envelopeOf(payloadType, payload, key.keyid, signature);
}

/** The expected type of a payload, or several. */
type PayloadTypes = string | readonly string[];

/** Limits for envelopes. A valid one has 18 quotation marks and, even if indented, little text outside them. */
const ENVELOPE_PARTS = { quotes: 64, outside: 4096 };
/** Slashes may be escaped. The Base64 of JSON has few of them, because in ASCII only "?" can produce one. */
const MAX_ESCAPES = 64 * 1024;

/**
 * Parses the text of an envelope into its parts.
 *
 * @throws {DomainError} `malformed_json` or `json_key_duplicate` if the text is not strict JSON.
 * @throws {DomainError} `envelope_invalid` if it is not an envelope of this type with one signature.
 */
export function readEnvelope(text: string, types: PayloadTypes): OpenedEnvelope {
  return openEnvelope(parseEnvelope(text, types));
}

/** The first half of {@linkcode readEnvelope}, after which the key can be looked up. */
export function parseEnvelope(text: string, types: PayloadTypes): SealedEnvelope {
  // A backslash may escape a slash. Two in a row would be a backslash, which Base64 does not have.
  const isCheap = hasFewEscapes(text, MAX_ESCAPES) && hasFewParts(text, ENVELOPE_PARTS);
  if (!isCheap) throw notAnEnvelope();
  return parseAround(text, types) ?? sealedEnvelope(parseJson(text), types);
}

const PAYLOAD_START = /"payload"[ \t\n\r]*:[ \t\n\r]*"/;

/**
 * Parses an envelope with its payload cut out, because parsing each character of a large payload is slow. Returns
 * null if the payload contains an escape or a line break, or belongs to a nested object.
 */
function parseAround(text: string, types: PayloadTypes): SealedEnvelope | null {
  const found = PAYLOAD_START.exec(text);
  if (!found) return null;
  const start = found.index + found[0].length;
  const end = text.indexOf('"', start);
  const payload = text.slice(start, end);
  if (end <= start || NOT_PLAIN.some((character) => payload.includes(character))) return null;
  const rest = parseJson(text.slice(0, start) + text.slice(end));
  const isOwn = (rest as Partial<Envelope> | null)?.payload === '';
  if (!isOwn) return null;
  return sealedEnvelope({ ...(rest as Envelope), payload }, types);
}

/** The escape character, and whitespace that lines of Base64 may end with but JSON strings may not contain. */
const NOT_PLAIN = ['\\', '\n', '\r', '\t'];

/** The second half of {@linkcode readEnvelope}, which decodes the payload. */
export function openEnvelope(sealed: SealedEnvelope): OpenedEnvelope {
  const { payloadType, keyid } = sealed;
  const signature = fromBase64(sealed.sig);
  const signed = signedOf(payloadType, sealed.payload);
  if (signed === null || signature?.length !== 64) {
    throw new DomainError('envelope_invalid', 'The payload or signature is not canonical base64');
  }
  const payload = signed.subarray(signed.length - decodedLength(sealed.payload));
  return { payloadType, keyid, payload, signature, signed };
}

/** Splits a parsed envelope into its parts. See {@linkcode readEnvelope}. */
export function takeApart(value: unknown, types: PayloadTypes): OpenedEnvelope {
  return openEnvelope(sealedEnvelope(value, types));
}

function sealedEnvelope(value: unknown, types: PayloadTypes): SealedEnvelope {
  const parsed = Envelope.safeParse(value);
  if (!parsed.success) throw notAnEnvelope();
  const { payloadType, payload, signatures } = parsed.data;
  const expected = [types].flat();
  if (!expected.includes(payloadType)) {
    throw new DomainError('envelope_invalid', `The payload type must be ${expected.join(' or ')}`);
  }
  const [{ keyid, sig } = { keyid: '', sig: '' }] = signatures;
  return { payloadType, keyid, payload, sig };
}

function notAnEnvelope(): DomainError {
  return new DomainError('envelope_invalid', 'The body is not a DSSE envelope with one signature');
}
