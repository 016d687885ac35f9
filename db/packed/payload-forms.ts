/**
 * The stored forms of a log entry's payload. Every form is restored and compared when it is written, so that what was
 * signed or hashed never changes. Do not change how a form is restored: boards have rows of it.
 */
import { deflateRawSync, inflateRawSync } from '../threads/compression.ts';
import { SELF_REPORT_PAYLOAD_TYPE } from '#core/schema/self-report.ts';
import {
  type Envelope,
  SNAPSHOT_PAYLOAD_TYPE,
  SNAPSHOT_PAYLOAD_TYPE_2,
} from '#core/schema/snapshot.ts';

/** What payloads are compressed with. */
export interface Dictionary {
  id: number;
  body: Uint8Array;
}

/** A payload as it is stored, and the ID of the key that signed it; null if none did. */
export interface PackedPayload {
  form: number;
  payload: Uint8Array;
  keyid: string | null;
}

/** A stored payload with the texts that restore it. */
type StoredPayload = PackedPayload & { dictionary: Uint8Array | null };

/** The payload as it came. */
const AS_IT_CAME = 0;
/**
 * Other forms are the number of the dictionary, times 4, and one of these: compressed; the signature and the
 * compressed content of a signed envelope; the compressed content of an envelope without a signature; like `SIGNED`,
 * for version 2 of snapshots.
 */
const COMPRESSED = 1;
const SIGNED = 2;
const UNSIGNED = 3;
const SIGNED_2 = 0;
const FORMS = 4;

/** The signed forms, and the type of their payload. */
const SIGNED_TYPES: ReadonlyMap<number, string> = new Map([
  [SIGNED, SNAPSHOT_PAYLOAD_TYPE],
  [SIGNED_2, SNAPSHOT_PAYLOAD_TYPE_2],
]);

const SIGNATURE_BYTES = 64;
/** Larger contents are compressed less, because the sender of a submission waits. */
const LARGE_BYTES = 256 * 1024;
/** Small contents need less memory for the same result, which the system would clear for each submission. */
const SMALL_BYTES = 7 * 1024;
const SMALL = { windowBits: 13, memLevel: 6, chunkSize: 4096 };
const LARGE = { memLevel: 9 };

/**
 * The smallest form of a payload, and its content, which {@linkcode contentOf} restores.
 *
 * @param value The payload, if it is known.
 */
export function packPayload(
  payload: Uint8Array,
  { id, body }: Dictionary,
  value?: object,
): PackedPayload & { content: Buffer } {
  const bytes = bufferOf(payload);
  for (const packed of candidates(bytes, body, value)) {
    const form = id * FORMS + packed.form;
    const restored = { ...packed, form, dictionary: body };
    const isSmaller = packed.payload.length < bytes.length;
    if (isSmaller && bytes.equals(restoredPayload(restored))) return { ...packed, form };
  }
  return { form: AS_IT_CAME, payload, keyid: null, content: bytes };
}

/** The exact bytes of a payload. */
export function restoredPayload(stored: StoredPayload): Buffer {
  const { form, payload, keyid, dictionary } = stored;
  const bytes = bufferOf(payload);
  if (form === AS_IT_CAME) return bytes;
  const content = contentOf({ form, payload: bytes, dictionary });
  const type = SIGNED_TYPES.get(form % FORMS);
  if (type !== undefined) {
    const sig = bytes.toString('base64', 0, SIGNATURE_BYTES);
    return envelope(type, content, [{ keyid: keyid ?? '', sig }]);
  }
  return form % FORMS === UNSIGNED ? envelope(SELF_REPORT_PAYLOAD_TYPE, content, []) : content;
}

/** The content of a stored envelope, or else the payload. */
export function contentOf(stored: Omit<StoredPayload, 'keyid'>): Buffer {
  const { form, payload, dictionary } = stored;
  if (form === AS_IT_CAME) return bufferOf(payload);
  if (!dictionary) throw new Error('The database has lost a dictionary that its log needs');
  const start = SIGNED_TYPES.has(form % FORMS) ? SIGNATURE_BYTES : 0;
  return inflateRawSync(payload.subarray(start), { dictionary });
}

function* candidates(
  bytes: Buffer,
  dictionary: Uint8Array,
  value: object = parsed(bytes),
): Generator<PackedPayload & { content: Buffer }> {
  const { payloadType, payload, signatures } = value as Partial<Envelope>;
  if (typeof payload === 'string') {
    const content = Buffer.from(payload, 'base64');
    const [one] = signatures ?? [];
    const [signed] = [...SIGNED_TYPES].find(([, type]) => type === payloadType) ?? [];
    if (signed !== undefined && one) {
      const signature = Buffer.from(one.sig, 'base64');
      const packed = Buffer.concat([signature, deflated(content, dictionary)]);
      if (signature.length === SIGNATURE_BYTES)
        yield { form: signed, payload: packed, keyid: one.keyid, content };
    } else if (payloadType === SELF_REPORT_PAYLOAD_TYPE) {
      yield { form: UNSIGNED, payload: deflated(content, dictionary), keyid: null, content };
    }
  }
  yield { form: COMPRESSED, payload: deflated(bytes, dictionary), keyid: null, content: bytes };
}

function envelope(payloadType: string, content: Buffer, signatures: Envelope['signatures']) {
  const payload = content.toString('base64');
  return Buffer.from(JSON.stringify({ payloadType, payload, signatures }));
}

function deflated(bytes: Buffer, dictionary: Uint8Array): Buffer {
  const level = bytes.length > LARGE_BYTES ? 1 : 9;
  const isSmall = bytes.length + dictionary.length <= SMALL_BYTES;
  return deflateRawSync(bytes, { dictionary, level, ...(isSmall ? SMALL : LARGE) });
}

/** The JSON object of a payload; an empty one if it has none. */
function parsed(bytes: Buffer): object {
  try {
    const value: unknown = JSON.parse(bytes.toString());
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

function bufferOf({ buffer, byteOffset, length }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, length);
}
