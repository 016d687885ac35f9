import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { enrollDevice } from '#core/contract/devices.ts';
import { parseUsage } from '#core/contract/ingest.ts';
import { submitSnapshot } from '#core/contract/snapshots.ts';
import { ENVELOPE_MEDIA_TYPE } from '#core/schema/snapshot.ts';
import { readJson, readText } from '#server/http/request/body.ts';

const LIMIT = enrollDevice.bodyLimitBytes;

function aRequest(body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) {
  const all = { 'Content-Type': 'application/json', ...headers };
  return new Request('http://127.0.0.1/', { method: 'POST', body, headers: all });
}

/** Gzip of zeros, a thousandth of the inflated size. */
const bomb = (bytes: number) => new Uint8Array(gzipSync(Buffer.alloc(bytes, 48)));
const gzipped = (text: string) => new Uint8Array(gzipSync(text));
const GZIP = { 'Content-Encoding': 'gzip' };

describe('readText()', () => {
  test.each([
    'application/json',
    'APPLICATION/JSON',
    'application/json; charset=utf-8',
    ' application/json ;x=y',
  ])('accepts the media type %j', async (type) => {
    await expect(readText(aRequest('é', { 'Content-Type': type }), enrollDevice)).resolves.toBe(
      'é',
    );
  });

  test.each([
    'text/plain',
    'application/json5',
    'application/x+json',
    '',
    'application/json, text/plain',
  ])('throws unsupported_media_type for %j', async (type) => {
    await expect(
      readText(aRequest('{}', { 'Content-Type': type }), enrollDevice),
    ).rejects.toMatchObject({ code: 'unsupported_media_type' });
  });

  test('checks the media type by the route', async () => {
    const envelope = aRequest('{}', { 'Content-Type': ENVELOPE_MEDIA_TYPE });
    await expect(readText(envelope.clone(), submitSnapshot)).resolves.toBe('{}');
    await expect(readText(envelope, enrollDevice)).rejects.toMatchObject({
      code: 'unsupported_media_type',
    });
  });

  test('inflates gzip', async () => {
    await expect(readText(aRequest(gzipped('{"a":"é"}'), GZIP), enrollDevice)).resolves.toBe(
      '{"a":"é"}',
    );
  });

  test.each(['deflate', 'br', 'gzip, gzip', 'zstd'])(
    'throws unsupported_media_type for the encoding %s',
    async (encoding) => {
      const request = aRequest(new Uint8Array(brotliCompressSync('{}')), {
        'Content-Encoding': encoding,
      });

      await expect(readText(request, enrollDevice)).rejects.toMatchObject({
        code: 'unsupported_media_type',
      });
    },
  );

  test('accepts as many bytes as the route allows, and not one more', async () => {
    await expect(readText(aRequest('0'.repeat(LIMIT)), enrollDevice)).resolves.toHaveLength(LIMIT);
    await expect(readText(aRequest('0'.repeat(LIMIT + 1)), enrollDevice)).rejects.toMatchObject({
      code: 'payload_too_large',
    });
  });

  test('counts bytes after inflation, and stops a gzip bomb', async () => {
    await expect(readText(aRequest(bomb(LIMIT), GZIP), enrollDevice)).resolves.toHaveLength(LIMIT);
    await expect(readText(aRequest(bomb(LIMIT + 1), GZIP), enrollDevice)).rejects.toMatchObject({
      code: 'payload_too_large',
    });
    await expect(readText(aRequest(bomb(1000 * LIMIT), GZIP), enrollDevice)).rejects.toMatchObject({
      code: 'payload_too_large',
    });
  });

  test('throws malformed_json for invalid or incomplete gzip', async () => {
    const cut = gzipped('{"a":1}'.repeat(99)).subarray(0, 20);

    await expect(readText(aRequest('{}', GZIP), enrollDevice)).rejects.toMatchObject({
      code: 'malformed_json',
    });
    await expect(readText(aRequest(cut, GZIP), enrollDevice)).rejects.toMatchObject({
      code: 'malformed_json',
    });
  });

  test('throws validation_failed for invalid gzip of a body that is not JSON', async () => {
    const request = aRequest('x', { ...GZIP, 'Content-Type': 'text/plain' });

    await expect(readText(request, parseUsage)).rejects.toMatchObject({
      code: 'validation_failed',
    });
  });

  test.each([
    ['a lone continuation byte', [0x22, 0x80, 0x22]],
    ['an overlong slash', [0x22, 0xc0, 0xaf, 0x22]],
    ['a surrogate', [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ['a truncated character', [0x22, 0xe2, 0x82]],
  ])('throws malformed_json for %s', async (_, bytes) => {
    await expect(readText(aRequest(new Uint8Array(bytes)), enrollDevice)).rejects.toMatchObject({
      code: 'malformed_json',
    });
  });
});

describe('readJson()', () => {
  test('parses strictly', async () => {
    await expect(readJson(aRequest('{"a":[1]}'), enrollDevice)).resolves.toEqual({ a: [1] });
    await expect(readJson(aRequest('{"a":1,"a":2}'), enrollDevice)).rejects.toMatchObject({
      code: 'json_key_duplicate',
    });
    await expect(readJson(aRequest('\uFEFF{}'), enrollDevice)).rejects.toMatchObject({
      code: 'malformed_json',
    });
    await expect(readJson(aRequest(''), enrollDevice)).rejects.toMatchObject({
      code: 'malformed_json',
    });
  });
});
