import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import {
  type OpenedEnvelope,
  keyIdOf,
  preAuthEncoding,
  readEnvelope,
  takeApart,
} from '#core/domain/signing/dsse.ts';
import { verifyStrict } from '#core/domain/signing/ed25519.ts';
import type { DomainError } from '#core/domain/text/errors.ts';
import { parseJson } from '#core/domain/text/json.ts';
import { SNAPSHOT_PAYLOAD_TYPE } from '#core/schema/snapshot.ts';
import { sha256 } from '#server/process/crypto.ts';
import { aDevice, anEnvelope } from '#tests/support/board/builders.ts';
import { refusal } from '#tests/support/http/refusal.ts';

const TYPE = SNAPSHOT_PAYLOAD_TYPE;

describe('preAuthEncoding()', () => {
  test('agrees with the vector of the DSSE protocol', () => {
    const encoded = preAuthEncoding('http://example.com/HelloWorld', Buffer.from('hello world'));

    expect(Buffer.from(encoded).toString()).toBe(
      'DSSEv1 29 http://example.com/HelloWorld 11 hello world',
    );
  });

  test('counts bytes, not characters', () => {
    const encoded = preAuthEncoding('é', Buffer.from('日本'));

    expect(Buffer.from(encoded).toString()).toBe('DSSEv1 2 é 6 日本');
  });

  test('keeps the bytes of any payload', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (payload) => {
        const encoded = Buffer.from(preAuthEncoding('t', payload));

        expect(encoded.subarray(encoded.length - payload.length)).toEqual(Buffer.from(payload));
      }),
    );
  });
});

describe('keyIdOf()', () => {
  test('is the SHA-256 of the raw key in base64url', () => {
    expect(keyIdOf(new Uint8Array(32), sha256)).toBe(
      'SHA256:Zmh6rfhivXdsj8GLjp-OIAiXFIVu4jOzkCpZHQ1fKSU',
    );
  });
});

describe('readEnvelope()', () => {
  test('returns the signed bytes, with a signature that covers them', async () => {
    const device = await aDevice();
    const payload = Buffer.from([0, 255, 10, 34, 195, 40]);
    const sealed = await device.seal(payload);

    const opened = readEnvelope(JSON.stringify(sealed), TYPE);

    expect(opened.keyid).toBe(device.keyid);
    expect(Buffer.from(opened.payload)).toEqual(payload);
    expect(await verifyStrict(opened.signed, opened.signature, device.publicKey)).toBe(true);
  });

  test('covers the payload type with the signature', async () => {
    const device = await aDevice();
    const sealed = await device.seal('x', 'application/other');

    const { signed, signature } = takeApart({ ...sealed, payloadType: TYPE }, TYPE);

    expect(await verifyStrict(signed, signature, device.publicKey)).toBe(false);
  });

  test.each([
    ['lists in lists', `[${`${'['.repeat(60)}${']'.repeat(60)},`.repeat(30_000)}0]`],
    ['lists that never end', '['.repeat(100_000)],
    ['objects', `[${'{"a":1},'.repeat(100_000)}0]`],
    ['numbers', `[${'1,'.repeat(100_000)}0]`],
    ['space', `${' '.repeat(100_000)}{}`],
    ['quotation marks', `{"payload":"${'\\"'.repeat(100_000)}"}`],
    ['backslashes', `{"payload":"${'\\\\'.repeat(100_000)}"}`],
    ['escapes', `{"payload":"${'\\/'.repeat(100_000)}"}`],
  ])('rejects text of %s before it is parsed', (_, text) => {
    const parsed = vi.spyOn(JSON, 'parse');

    expect(() => readEnvelope(text, TYPE)).toThrow(refusal('envelope_invalid'));
    expect(parsed).not.toHaveBeenCalled();
    parsed.mockRestore();
  });

  test('accepts an envelope in any JSON formatting', async () => {
    const device = await aDevice();
    const sealed = await device.seal(Buffer.alloc(10_000, 255));

    const indented = JSON.stringify(sealed, null, 8);
    const escaped = JSON.stringify(sealed).replaceAll('/', '\\/');

    expect(readEnvelope(indented, TYPE).keyid).toBe(device.keyid);
    expect(readEnvelope(escaped, TYPE).payload).toHaveLength(10_000);
  });

  test('gives the same result as parsing all of the text', async () => {
    const sealed = await (await aDevice()).seal(Buffer.from('some bytes'));
    const text = JSON.stringify(sealed);
    const { payload, signatures } = sealed;
    const signature = { ...signatures[0], payload };
    const variants: [string, string][] = [
      ['as it is', text],
      ['spaced', text.replace('"payload":', '"payload" \n:\t ')],
      ['payload last', JSON.stringify({ signatures, payloadType: TYPE, payload })],
      [
        'payload of a signature first',
        JSON.stringify({ signatures: [signature], payload, payloadType: TYPE }),
      ],
      [
        'payload of a signature alone',
        JSON.stringify({ signatures: [signature], payloadType: TYPE, payload: '' }),
      ],
      ['payload within a key', text.replace('"payload":', '"a\\"payload":')],
      ['payload twice', text.replace('{', `{"payload":"${payload}",`)],
      ['payload that is empty', text.replace(payload, '')],
      ['payload with a line break', text.replace(payload, `${payload}\n`)],
      [
        'payload with an escape',
        text.replace(payload, `\\u00${payload.charCodeAt(0).toString(16)}${payload.slice(1)}`),
      ],
      ['payload with a wide character', text.replace(payload, `\u0141${payload.slice(1)}`)],
      ['payload in the URL-safe alphabet', text.replace(payload, '-_-_')],
      ['payload without an end', text.slice(0, text.indexOf(payload) + 8)],
      ['payload in a list', `[${text}]`],
      ['another type', text.replace(TYPE, 'application/other')],
      ['text after it', `${text} x`],
    ];
    const told = (read: () => OpenedEnvelope) => {
      try {
        return read();
      } catch (error) {
        return (error as DomainError).code;
      }
    };

    for (const [what, variant] of variants) {
      const whole = told(() => takeApart(parseJson(variant), TYPE));

      expect([what, told(() => readEnvelope(variant, TYPE))]).toEqual([what, whole]);
    }
    expect(readEnvelope(text, TYPE).payload).toEqual(Buffer.from('some bytes'));
  });

  test('does not parse a payload of megabytes', async () => {
    const sealed = await (await aDevice()).seal(Buffer.alloc(1024 * 1024, 7));
    const text = JSON.stringify(sealed);
    const parsed = vi.spyOn(JSON, 'parse');

    const opened = readEnvelope(text, TYPE);

    expect(parsed.mock.calls.map(([part]) => part.length < 1000)).toEqual([true]);
    expect(opened.payload).toHaveLength(1024 * 1024);
    parsed.mockRestore();
  });

  test('rejects another payload type', async () => {
    const sealed = await (await aDevice()).seal('x', 'application/other');

    expect(() => readEnvelope(JSON.stringify(sealed), TYPE)).toThrow(refusal('envelope_invalid'));
  });

  test('rejects two signatures, and none', async () => {
    const sealed = await anEnvelope(await aDevice());
    const [signature] = sealed.signatures;

    expect(() => takeApart({ ...sealed, signatures: [signature, signature] }, TYPE)).toThrow(
      refusal('envelope_invalid'),
    );
    expect(() => takeApart({ ...sealed, signatures: [] }, TYPE)).toThrow(
      refusal('envelope_invalid'),
    );
  });

  test('rejects unknown members', async () => {
    const sealed = await anEnvelope(await aDevice());
    const [signature] = sealed.signatures;
    const withCertificate = [{ ...signature, cert: 'x' }];

    expect(() => takeApart({ ...sealed, extra: 1 }, TYPE)).toThrow(refusal('envelope_invalid'));
    expect(() => takeApart({ ...sealed, signatures: withCertificate }, TYPE)).toThrow(
      refusal('envelope_invalid'),
    );
  });

  test.each(['Zh==', 'Zg=', 'Zg== ', 'Zg==\n', 'Z*==', ''])(
    'rejects the payload %j, which is not canonical base64',
    async (payload) => {
      const sealed = await anEnvelope(await aDevice());

      expect(() => takeApart({ ...sealed, payload }, TYPE)).toThrow(refusal('envelope_invalid'));
    },
  );

  test.each([
    ['63 bytes', Buffer.alloc(63).toString('base64')],
    ['65 bytes', Buffer.alloc(65).toString('base64')],
    ['no padding', Buffer.alloc(64).toString('base64url')],
    ['a bit after the last byte', `${'A'.repeat(85)}B==`],
    ['a newline', `${'A'.repeat(85)}==\n`],
  ])('rejects a signature of %s', async (_, sig) => {
    const { keyid, seal } = await aDevice();
    const sealed = { ...(await seal('x')), signatures: [{ keyid, sig }] };

    expect(() => takeApart(sealed, TYPE)).toThrow(refusal('envelope_invalid'));
  });

  test.each([null, 1, 'x', [], {}])('rejects %j, which is not an envelope', (value) => {
    expect(() => readEnvelope(JSON.stringify(value), TYPE)).toThrow(refusal('envelope_invalid'));
  });

  test('rejects text that is not JSON or repeats a key', async () => {
    const text = JSON.stringify(await anEnvelope(await aDevice()));
    const twice = text.replace('{', '{"payload":"Zg==",');

    expect(() => readEnvelope(`${text} x`, TYPE)).toThrow(refusal('malformed_json'));
    expect(() => readEnvelope(twice, TYPE)).toThrow(refusal('json_key_duplicate'));
  });
});
