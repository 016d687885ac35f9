import { describe, expect, test } from 'vitest';
import {
  Codename,
  Day,
  OwnLabel,
  Digest,
  KeyId,
  Label,
  PublicKey,
  UuidV7,
} from '#core/schema/scalars.ts';

describe('Label', () => {
  test.each([
    'x',
    'claude-opus-5',
    'GPT 5 (preview)',
    'Modèle',
    '模型',
    '<b>&"\'',
    '=1+1',
    'a'.repeat(120),
    '😀'.repeat(120),
    '\u{10FFFF}',
  ])('accepts %j', (text) => {
    expect(Label.safeParse(text).success).toBe(true);
  });

  test.each([
    ['an empty text', ''],
    ['121 letters', 'a'.repeat(121)],
    ['121 astral characters', '😀'.repeat(121)],
    ['NUL', 'a\0'],
    ['a tab', 'a\tb'],
    ['a newline', 'a\nb'],
    ['a C1 control', 'a\u0085b'],
    ['DEL', 'a\u007F'],
    ['a right-to-left override', 'a\u202Eb'],
    ['a bidi isolate', 'a\u2066b'],
    ['a right-to-left mark', 'a\u200Fb'],
    ['a zero width space', 'a\u200Bb'],
    ['a zero width joiner', 'a\u200Db'],
    ['a soft hyphen', 'a\u00ADb'],
    ['a byte order mark', '\uFEFFa'],
    ['a tag character', 'a\u{E0041}'],
    ['a line separator', 'a\u2028b'],
    ['a lone surrogate', 'a\uD800'],
    ['a decomposed letter', 'e\u0301'],
    ['a compatibility angstrom', '\u212B'],
  ])('rejects %s', (_, text) => {
    expect(Label.safeParse(text).success).toBe(false);
  });

  test('accepts the composed form of a decomposed letter', () => {
    expect(Label.safeParse('e\u0301'.normalize('NFC')).success).toBe(true);
  });

  test.each([1, null, undefined, ['x'], { x: 1 }])('rejects %j, which is not a string', (value) => {
    expect(Label.safeParse(value).success).toBe(false);
  });
});

describe('OwnLabel', () => {
  test.each(['Laptop', 'a'.repeat(60)])('accepts %j', (text) => {
    expect(OwnLabel.safeParse(text).success).toBe(true);
  });

  test.each(['💻 Laptop', '❤️', '👩‍💻 desk'])('accepts the emoji of %j', (text) => {
    expect(OwnLabel.safeParse(text).success).toBe(true);
  });

  test.each(['', 'a'.repeat(61), 'a\u001B[31m', 'e\u0301', 'a\u200Db', 'a\uFE0F', '\u3164'])(
    'rejects %j',
    (text) => {
      expect(OwnLabel.safeParse(text).success).toBe(false);
    },
  );
});

describe('Codename', () => {
  test.each(['abc', '123', 'a-b', 'a--b', `a${'-'.repeat(28)}b`])('accepts %j', (text) => {
    expect(Codename.safeParse(text).success).toBe(true);
  });

  test.each(['ab', 'a'.repeat(31), '-ab', 'ab-', 'Abc', 'a_b', 'a.b', 'äbc', 'abc\n', ' abc', ''])(
    'rejects %j',
    (text) => {
      expect(Codename.safeParse(text).success).toBe(false);
    },
  );
});

describe('UuidV7', () => {
  test('accepts version 7 of the RFC variant in lower case', () => {
    expect(UuidV7.safeParse('0195803c-0000-7000-8000-000000000000').success).toBe(true);
  });

  test.each([
    '0195803c-0000-4000-8000-000000000000',
    '0195803c-0000-7000-c000-000000000000',
    '0195803C-0000-7000-8000-000000000000',
    '0195803c00007000800000000000000a',
    '{0195803c-0000-7000-8000-000000000000}',
    '0195803c-0000-7000-8000-00000000000',
  ])('rejects %j', (text) => {
    expect(UuidV7.safeParse(text).success).toBe(false);
  });
});

describe('Day', () => {
  test.each(['2024-02-29', '2026-12-31'])('accepts %s', (text) => {
    expect(Day.safeParse(text).success).toBe(true);
  });

  test.each(['2026-02-29', '2026-2-1', '20260201', '2026-02-01T00:00:00Z', '', '2026-00-01'])(
    'rejects %j',
    (text) => {
      expect(Day.safeParse(text).error?.issues).toMatchObject([
        { message: 'must be a UTC day, YYYY-MM-DD' },
      ]);
    },
  );
});

describe('keys and digests', () => {
  test.each([
    [PublicKey, 'A'.repeat(43)],
    [KeyId, `SHA256:${'_'.repeat(43)}`],
    [Digest, '0f'.repeat(32)],
  ])('accept a valid value (%#)', (schema, text) => {
    expect(schema.safeParse(text).success).toBe(true);
  });

  test.each([
    [PublicKey, 'A'.repeat(42)],
    [PublicKey, `${'A'.repeat(42)}=`],
    [PublicKey, `${'A'.repeat(42)}+`],
    [KeyId, 'A'.repeat(43)],
    [KeyId, `sha256:${'A'.repeat(43)}`],
    [Digest, '0F'.repeat(32)],
    [Digest, '0'.repeat(63)],
    [Digest, 'g'.repeat(64)],
  ])('reject any other value (%#)', (schema, text) => {
    expect(schema.safeParse(text).success).toBe(false);
  });
});
