import { describe, expect, test } from 'vitest';
import { SELF_REPORT_PAYLOAD_TYPE } from '#core/schema/self-report.ts';
import { SNAPSHOT_PAYLOAD_TYPE, SNAPSHOT_PAYLOAD_TYPE_2 } from '#core/schema/snapshot.ts';
import {
  type Dictionary,
  contentOf,
  packPayload,
  restoredPayload,
} from '#db/packed/payload-forms.ts';
import { uuidBytes, uuidText } from '#db/packed/uuid-bytes.ts';

const DICTIONARY: Dictionary = { id: 3, body: Buffer.from('{"type":"opbench-snapshot/1"') };
const CONTENT = Buffer.from(`{"type":"opbench-snapshot/1","records":[${'1,'.repeat(99)}1]}`);
const payload = CONTENT.toString('base64');
const sig = Buffer.alloc(64, 7).toString('base64');
const SIGNED = { payloadType: SNAPSHOT_PAYLOAD_TYPE, payload, signatures: [{ keyid: 'k', sig }] };
const UNSIGNED = { payloadType: SELF_REPORT_PAYLOAD_TYPE, payload, signatures: [] };

const bytesOf = (value: object) => Buffer.from(JSON.stringify(value));
const restored = (packed: ReturnType<typeof packPayload>) =>
  restoredPayload({ ...packed, dictionary: DICTIONARY.body });

describe('packPayload()', () => {
  test.each([
    ['a signed envelope', bytesOf(SIGNED), 14, 'k'],
    [
      'a signed envelope of version 2',
      bytesOf({ ...SIGNED, payloadType: SNAPSHOT_PAYLOAD_TYPE_2 }),
      12,
      'k',
    ],
    ['an envelope without a signature', bytesOf(UNSIGNED), 15, null],
    ['other JSON', bytesOf({ operator: 'x'.repeat(99) }), 13, null],
    ['an envelope with another member', bytesOf({ ...SIGNED, more: 1 }), 13, null],
    [
      'an envelope in another order',
      bytesOf({ signatures: SIGNED.signatures, payload, payloadType: SNAPSHOT_PAYLOAD_TYPE }),
      13,
      null,
    ],
    ['an indented envelope', Buffer.from(JSON.stringify(SIGNED, null, 1)), 13, null],
    [
      'a payload that is not canonical base64',
      bytesOf({ ...SIGNED, payload: `${payload}=` }),
      13,
      null,
    ],
    [
      'two signatures',
      bytesOf({ ...SIGNED, signatures: [...SIGNED.signatures, { keyid: 'l', sig }] }),
      13,
      null,
    ],
    [
      'a short signature',
      bytesOf({ ...SIGNED, signatures: [{ keyid: 'k', sig: 'AAAA' }] }),
      13,
      null,
    ],
    ['another type', bytesOf({ ...SIGNED, payloadType: 'x' }), 13, null],
    ['what does not get smaller', Buffer.from('{}'), 0, null],
    ['an empty payload', Buffer.alloc(0), 0, null],
    ['bytes that are not JSON', Buffer.alloc(300, 0xff), 13, null],
    ['null', Buffer.from('null'), 0, null],
  ])('restores %s exactly', (_, bytes, form, keyid) => {
    const packed = packPayload(bytes, DICTIONARY);

    expect([packed.form, packed.keyid]).toEqual([form, keyid]);
    expect(restored(packed).equals(bytes)).toBe(true);
    expect(contentOf({ ...packed, dictionary: DICTIONARY.body }).equals(packed.content)).toBe(true);
    expect(packed.payload.length).toBeLessThanOrEqual(bytes.length);
  });

  test.each([1_000, 7_000, 8_000, 40_000, 300_000])('restores %d bytes of any text', (length) => {
    const noise = Buffer.alloc(length).map((_, at) => (at * at) % 97);
    const packed = packPayload(
      bytesOf({ ...SIGNED, payload: Buffer.from(noise).toString('base64') }),
      DICTIONARY,
    );
    expect([packed.form, packed.content.equals(noise)]).toEqual([14, true]);
  });

  test('takes the value of the payload, if it is known', () => {
    const bytes = bytesOf(SIGNED);
    expect(packPayload(bytes, DICTIONARY, SIGNED)).toEqual(packPayload(bytes, DICTIONARY));
    // A wrong value cannot do harm.
    const packed = packPayload(bytes, DICTIONARY, UNSIGNED);
    expect([packed.form, restored(packed).equals(bytes)]).toEqual([13, true]);
  });

  test('keeps the signed bytes of an envelope', () => {
    const packed = packPayload(bytesOf(SIGNED), DICTIONARY);
    expect(contentOf({ ...packed, dictionary: DICTIONARY.body }).equals(CONTENT)).toBe(true);
    expect(Buffer.from(packed.payload.subarray(0, 64)).toString('base64')).toBe(sig);
  });

  test('cannot be restored without its dictionary', () => {
    const packed = packPayload(bytesOf(SIGNED), DICTIONARY);
    expect(() => restoredPayload({ ...packed, dictionary: null })).toThrow('dictionary');
  });
});

test('UUIDs take 16 bytes, and any other text stays', () => {
  const uuid = '019a2b3c-4d5e-7f60-8a9b-0c1d2e3f4a5b';
  expect(uuidBytes(uuid)).toEqual(Buffer.from('019a2b3c4d5e7f608a9b0c1d2e3f4a5b', 'hex'));
  for (const text of [uuid, uuid.toUpperCase(), `${uuid} `, '']) {
    expect(uuidText(uuidBytes(text))).toBe(text);
  }
});
