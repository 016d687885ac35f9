/**
 * The DSSE envelope: a signature over the exact bytes of a payload and over its type, so that
 * nothing has to be put in canonical form.
 *
 * @see {@link https://github.com/secure-systems-lab/dsse/blob/v1.0.2/protocol.md | DSSE v1.0 protocol}
 * @module
 */
import { Envelope } from '../schema/snapshot.ts';
import { fromBase64, toBase64, toBase64Url } from './base64.ts';
import type { Sign } from './ed25519.ts';
import { DomainError } from './errors.ts';
import { hasFewParts, parseJson } from './json.ts';

/** SHA-256 of bytes, or of a text's UTF-8: 32 bytes. */
export type Sha256 = (data: Uint8Array | string) => Uint8Array;

/** An envelope of the right type. Its payload may be large, and is not decoded. */
export interface SealedEnvelope {
  payloadType: string;
  keyid: string;
  /** Base64, if it is an honest one. */
  payload: string;
  sig: string;
}

/** An envelope taken apart; nothing in it is proven yet. */
export interface OpenedEnvelope {
  keyid: string;
  payload: Uint8Array;
  /** 64 bytes. */
  signature: Uint8Array;
  /** What the signature must cover. */
  signed: Uint8Array;
}

/**
 * The pre-authentication encoding: what is signed instead of the bare payload.
 *
 * @example `DSSEv1 29 http://example.com/HelloWorld 11 hello world`
 */
export function preAuthEncoding(payloadType: string, payload: Uint8Array): Uint8Array {
  const type = new TextEncoder().encode(payloadType);
  const head = new TextEncoder().encode(`DSSEv1 ${type.length} ${payloadType} ${payload.length} `);
  const bytes = new Uint8Array(head.length + payload.length);
  bytes.set(head);
  bytes.set(payload, head.length);
  return bytes;
}

/** A key's name: `SHA256:` and the base64url SHA-256 of its 32 raw bytes. */
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

/** Seals payload bytes with one key. */
export async function seal(
  payloadType: string,
  payload: Uint8Array,
  key: { keyid: string; sign: Sign },
): Promise<Envelope> {
  const signature = await key.sign(preAuthEncoding(payloadType, payload));
  return envelopeOf(payloadType, payload, key.keyid, signature);
}

/** An envelope has 18 quotation marks, and little outside them, however it is indented. */
const ENVELOPE_PARTS = { quotes: 64, outside: 4096 };

/**
 * Parses an envelope's text and takes it apart.
 *
 * @param payloadType The only type that is acceptable here.
 * @throws {DomainError} `malformed_json` or `json_key_duplicate` if the text is not strict JSON.
 * @throws {DomainError} `envelope_invalid` if it is not an envelope of this type with one signature.
 */
export function readEnvelope(text: string, payloadType: string): OpenedEnvelope {
  return openEnvelope(parseEnvelope(text, payloadType));
}

/** The first half of {@linkcode readEnvelope}, after which the key can be looked up. */
export function parseEnvelope(text: string, payloadType: string): SealedEnvelope {
  // Base64 has no backslash: one may escape a slash, but two in a row stand for one.
  const isCheap = hasFewParts(text, ENVELOPE_PARTS) && !text.includes('\\\\');
  if (!isCheap) throw notAnEnvelope();
  return sealedEnvelope(parseJson(text), payloadType);
}

/** The second half of {@linkcode readEnvelope}, which decodes the payload. */
export function openEnvelope({ payloadType, keyid, ...encoded }: SealedEnvelope): OpenedEnvelope {
  const payload = fromBase64(encoded.payload);
  const signature = fromBase64(encoded.sig);
  if (payload === null || signature?.length !== 64) {
    throw new DomainError('envelope_invalid', 'The payload or signature is not canonical base64');
  }
  return { keyid, payload, signature, signed: preAuthEncoding(payloadType, payload) };
}

/** Takes a parsed envelope apart. See {@linkcode readEnvelope}. */
export function takeApart(value: unknown, payloadType: string): OpenedEnvelope {
  return openEnvelope(sealedEnvelope(value, payloadType));
}

function sealedEnvelope(value: unknown, payloadType: string): SealedEnvelope {
  const parsed = Envelope.safeParse(value);
  if (!parsed.success) throw notAnEnvelope();
  const envelope = parsed.data;
  if (envelope.payloadType !== payloadType) {
    throw new DomainError('envelope_invalid', `The payload type must be ${payloadType}`);
  }
  const [{ keyid, sig } = { keyid: '', sig: '' }] = envelope.signatures;
  return { payloadType, keyid, payload: envelope.payload, sig };
}

function notAnEnvelope(): DomainError {
  return new DomainError('envelope_invalid', 'The body is not a DSSE envelope with one signature');
}
