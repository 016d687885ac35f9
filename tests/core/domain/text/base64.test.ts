import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromBase64, fromBase64Url, toBase64, toBase64Url } from '#core/domain/text/base64.ts';

describe('fromBase64() and fromBase64Url()', () => {
  test('decode their own encoding of any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect(fromBase64(toBase64(bytes))).toEqual(Buffer.from(bytes));
        expect(fromBase64Url(toBase64Url(bytes))).toEqual(Buffer.from(bytes));
      }),
    );
  });

  test('accepts only canonical encodings', () => {
    const character = fc.constantFrom(...'AZaz09+/=-_ \n\u00e9\u0141\u{1f600}');
    const text = fc.array(character, { maxLength: 12 }).map((all) => all.join(''));

    fc.assert(
      fc.property(text, (encoded) => {
        const bytes = Buffer.from(encoded, 'base64');
        const isCanonical = bytes.toString('base64') === encoded;

        expect(fromBase64(encoded)).toEqual(isCanonical ? bytes : null);
      }),
      { numRuns: 2000 },
    );
  });

  test.each([
    ['', ''],
    ['f', 'Zg=='],
    ['fo', 'Zm8='],
    ['foo', 'Zm9v'],
    ['foob', 'Zm9vYg=='],
    ['fooba', 'Zm9vYmE='],
    ['foobar', 'Zm9vYmFy'],
  ])('agrees with RFC 4648, section 10: %j', (plain, encoded) => {
    expect(toBase64(Buffer.from(plain))).toBe(encoded);
    expect(fromBase64(encoded)).toEqual(Buffer.from(plain));
  });

  test.each([
    ['a bit after the last byte', 'Zh=='],
    ['a bit after the last byte, unpadded', 'Zh'],
    ['too little padding', 'Zg='],
    ['too much padding', 'Zm9v='],
    ['padding of the URL-safe spelling', '-_8='],
    ['both alphabets together', '+_+_'],
    ['the URL-safe alphabet', '-_8'],
    ['a space', 'Zm9v Zm9v'],
    ['a newline at the end', 'Zm9v\n'],
    ['a character outside the alphabet', 'Zm9v*'],
    ['an extra character', 'Zm9vY'],
    ['text after the padding', 'Zg==Zg=='],
    ['padding in the middle', 'Zg=v'],
    ['padding alone', '===='],
    ['the URL-safe alphabet, padded', '-_-_'],
    ['a wide character whose low byte is a letter', 'AAA\u0141'],
  ])('rejects %s', (_, text) => {
    expect(fromBase64(text)).toBeNull();
  });

  test.each([
    ['padding', 'Zg=='],
    ['the standard alphabet', '+_+_'],
    ['a bit after the last byte', 'Zh'],
    ['a newline at the end', 'Zm9v\n'],
  ])('fromBase64Url() rejects %s', (_, text) => {
    expect(fromBase64Url(text)).toBeNull();
  });

  test('encodes the bytes of a view, not of its whole buffer', () => {
    const view = new Uint8Array(Buffer.from('xfoox').subarray(1, 4));
    const part = new Uint8Array([1, 102, 111, 111, 1]).subarray(1, 4);

    expect([toBase64(view), toBase64(part), toBase64Url(part)]).toEqual(['Zm9v', 'Zm9v', 'Zm9v']);
  });
});
