import { describe, expect, test } from 'vitest';
import {
  areOneDay,
  countOf,
  fieldsOf,
  idOf,
  instantOf,
  labelOf,
  parseFields,
} from '#core/readers/shared/fields.ts';

describe('parseFields()', () => {
  test.each(['', 'null', '7', '"text"', '[{}]', '{"a":1', '{"a":1}\0', '\uFEFF{}'])(
    'gives null for %j',
    (text) => {
      expect(parseFields(text)).toBeNull();
    },
  );

  test('treats __proto__ as a normal member', () => {
    const fields = parseFields('{"__proto__":{"type":"assistant"}}');

    expect(fields?.type).toBeUndefined();
  });

  test('reads deep nesting', () => {
    const depth = 50_000;

    expect(parseFields(`{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`)).toHaveProperty('a');
  });
});

describe('fieldsOf()', () => {
  test.each([undefined, null, 1, 'a', true, []])('gives null for %j', (value) => {
    expect(fieldsOf(value)).toBeNull();
  });
});

describe('countOf()', () => {
  test.each([
    [0, 0],
    [9007199254740991, 9007199254740991],
    ['12', 12],
    ['9007199254740991', 9007199254740991],
    [null, null],
    [undefined, null],
  ])('reads %j as %j', (value, count) => {
    expect(countOf(value)).toBe(count);
  });

  test.each([
    -1,
    0.5,
    NaN,
    Infinity,
    2 ** 53,
    '',
    '-1',
    '1.0',
    '0x10',
    ' 1',
    '9007199254740992',
    true,
    [],
    {},
  ])('gives NaN for %j', (value) => {
    expect(countOf(value)).toBeNaN();
  });
});

describe('instantOf()', () => {
  const noon = Date.UTC(2026, 2, 2, 12);

  test.each([
    ['2026-03-02T12:00:00.000Z'],
    ['2026-03-02T12:00:00Z'],
    ['2026-03-02t12:00:00z'],
    ['2026-03-02T12:00'],
    ['2026-03-02T17:30:00+05:30'],
    [noon],
    [noon / 1000],
    [noon + 0.5],
  ])('reads %j', (value) => {
    expect(instantOf(value)).toBe(noon);
  });

  test('keeps milliseconds', () => {
    expect(instantOf('2026-03-02T12:00:00.123456Z')).toBe(noon + 123);
  });

  test.each([
    '',
    'now',
    '2026-03-02',
    '2 March 2026 12:00',
    '2026-02-29T12:00:00Z',
    '2026-04-31T12:00:00Z',
    '2026-13-01T12:00:00Z',
    '2026-03-02T25:00:00Z',
    '2022-12-31T23:59:59.999Z',
    '2100-01-01T00:00:00.000Z',
    0,
    -1,
    NaN,
    1e300,
    null,
    undefined,
    true,
    [],
    {},
  ])('gives NaN for %j', (value) => {
    expect(instantOf(value)).toBeNaN();
  });

  test.each(['2023-01-01T00:00:00.000Z', '2099-12-31T23:59:59.999Z', '2028-02-29T00:00:00Z'])(
    'reads the outermost %s',
    (text) => {
      expect(instantOf(text)).toBe(Date.parse(text));
    },
  );
});

describe('labelOf()', () => {
  test.each([undefined, null, ''])('returns unknown for %j', (value) => {
    expect(labelOf(value)).toBe('unknown');
  });

  test('trims a name', () => {
    expect([' a b\u00a0', ' '].map(labelOf)).toEqual(['a b', 'unknown']);
  });

  test('normalizes to form C', () => {
    expect(labelOf('mode\u0300le')).toBe('mod\u00e8le');
  });

  test('accepts 120 code points', () => {
    expect(labelOf('😀'.repeat(120))).toBe('😀'.repeat(120));
  });

  test.each([
    '😀'.repeat(121),
    'a\nb',
    'a\u202eb',
    'a\u200bb',
    'a\ud800',
    'x'.repeat(5_000_000),
    7,
    [],
    {},
  ])('returns null for names that no bucket can have', (value) => {
    expect(labelOf(value)).toBeNull();
  });

  test('caches a bounded number of names', () => {
    const names = Array.from({ length: 2500 }, (_, index) => `model-${index}`);

    expect(names.map(labelOf)).toEqual(names);
  });
});

describe('reads an ID', () => {
  test.each([
    ['msg_1', 'msg_1'],
    [77, '77'],
    [undefined, ''],
    [null, ''],
    [{}, ''],
    ['x'.repeat(257), null],
  ])('reads an id', (value, id) => {
    expect(idOf(value)).toBe(id);
  });
});

describe('areOneDay()', () => {
  const NOON = Date.UTC(2026, 2, 2, 12);

  test.each([
    [NOON, NOON, true],
    [Date.UTC(2026, 2, 2), Date.UTC(2026, 2, 2, 23, 59, 59, 999), true],
    [NOON, Date.UTC(2026, 2, 3), false],
    [NOON, NaN, false],
    [NaN, NaN, false],
  ])('%i and %i: %s', (first, last, expected) => {
    expect(areOneDay(first, last)).toBe(expected);
  });
});
