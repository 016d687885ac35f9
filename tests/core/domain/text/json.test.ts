import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hasFewParts, parseJson } from '#core/domain/text/json.ts';
import { refusal } from '#tests/support/http/refusal.ts';

function nested(depth: number, open: string, close: string): string {
  return open.repeat(depth) + close.repeat(depth);
}

describe('parseJson()', () => {
  test('throws malformed_json for an object of more than 256 keys', () => {
    const keys = (count: number) =>
      JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, key) => [`k${key}`, 0])));

    expect(Object.keys(parseJson(keys(256)) as object)).toHaveLength(256);
    expect(() => parseJson(keys(257))).toThrow(refusal('malformed_json'));
  });

  test('returns the same as JSON.parse for any formatting', () => {
    const scene = fc.record({
      value: fc.jsonValue({ stringUnit: 'binary' }),
      indent: fc.constantFrom(0, 2, '\t', '\n '),
    });

    fc.assert(
      fc.property(scene, ({ value, indent }) => {
        const text = JSON.stringify(value, null, indent);

        expect(parseJson(text)).toStrictEqual(JSON.parse(text));
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    '{"a":1,"a":2}',
    '{"a":1,"a":1}',
    '{ "a" : 1 , "b" : 2 , "a" : 3 }',
    '{"a":1,"\\u0061":2}',
    '{"\\u0061":1,"a":2}',
    '{"\\/":1,"/":2}',
    '{"\\"":1,"\\u0022":2}',
    '{"\\\\":1,"\\u005c":2}',
    '{"a\\\\":1,"a\\\\":2}',
    '{"é":1,"\\u00e9":2}',
    '{"😀":1,"\\ud83d\\ude00":2}',
    '{"\\ud800":1,"\\uD800":2}',
    '{"":1,"":2}',
    '{"__proto__":1,"__proto__":2}',
    '{"constructor":1,"constructor":2}',
    '{"a":{},"a":[]}',
    '{"a":[{"b":1}],"a":1}',
    '{"a":1,"b":{"a":1},"a":2}',
    '{"a":"}","a":2}',
    '{"a":"\\\\\\"","a":2}',
    '[{"x":{"a":1,"b":[[]],"a":3}}]',
    '[1,[2,{"a":1,"a":2}]]',
  ])('rejects the repeated key of %s', (text) => {
    expect(() => parseJson(text)).toThrow(refusal('json_key_duplicate'));
  });

  test.each([
    '{"a":{"a":1},"b":{"a":2}}',
    '[{"a":1},{"a":2}]',
    '{"a":"a","b":"a"}',
    '["a","a"]',
    '{"a":["a","a",{"b":"b"}],"b":"b"}',
    '{"A":1,"a":2}',
    '{"a":"\\\\","b":"\\"a\\""}',
    '{"a":"{\\"x\\":1,\\"x\\":2}"}',
    '{"a\\\\":1,"a":2}',
    '{"é":1,"e\u0301":2}',
    '{"a":[],"b":{},"c":",","d":":"}',
    '{"__proto__":{"a":1},"a":2}',
    '"\\\\"',
    ' [ ] ',
  ])('accepts %s, where every key is unique in its object', (text) => {
    expect(parseJson(text)).toStrictEqual(JSON.parse(text));
  });

  test('finds a repeated key among any others', () => {
    const scene = fc
      .uniqueArray(fc.string({ unit: 'binary' }), { minLength: 1, maxLength: 8 })
      .chain((keys) => fc.record({ keys: fc.constant(keys), twice: fc.constantFrom(...keys) }));

    fc.assert(
      fc.property(scene, ({ keys, twice }) => {
        const member = (key: string) => `${JSON.stringify(key)}:{"k":${JSON.stringify(key)}}`;
        const once = keys.map(member).join();

        expect(() => parseJson(`{${once}}`)).not.toThrow();
        expect(() => parseJson(`{${once},${member(twice)}}`)).toThrow(
          refusal('json_key_duplicate'),
        );
      }),
    );
  });

  test.each([
    ['[', ']'],
    ['{"a":', '}'],
  ])('accepts 64 levels of %s and rejects 65', (open, close) => {
    const deep = (depth: number) => nested(depth, open, close).replace(':}', ':0}');

    expect(() => parseJson(deep(64))).not.toThrow();
    expect(() => parseJson(deep(65))).toThrow(refusal('malformed_json'));
  });

  test('survives a million levels', () => {
    expect(() => parseJson(nested(1_000_000, '[', ']'))).toThrow(refusal('malformed_json'));
  });

  test.each([
    '',
    ' ',
    '{',
    '{"a":1}}',
    "{'a':1}",
    '{"a":1,}',
    '[1,]',
    '01',
    '+1',
    'NaN',
    'undefined',
    '"\t"',
    '\uFEFF{}',
    '{"a":1}{"b":2}',
    '// a\n{}',
  ])('rejects %j, which is not JSON', (text) => {
    expect(() => parseJson(text)).toThrow(refusal('malformed_json'));
  });
});

describe('hasFewParts()', () => {
  const limits = { quotes: 8, outside: 20 };

  test.each([
    ['{"a":"b","c":"d"}', true],
    ['{"a":"b","c":"d", "e":1}', false],
    ['{"a":"\\"","c":1}', true],
    ['{"a":"\\"\\"\\"\\"\\"\\"\\""}', false],
    ['{"a":"\\\\","c":"]]]]]]]]]]]]]]]]]]]]"}', true],
    [`{"a":"${'['.repeat(1000)}"}`, true],
    ['['.repeat(20), true],
    ['['.repeat(21), false],
    [`"a"${' '.repeat(21)}`, false],
    ['"never ends', true],
    ['"ends with a backslash\\"', true],
    ['', true],
  ])('returns for %j: %s', (text, isSo) => {
    expect(hasFewParts(text, limits)).toBe(isSo);
  });

  test('counts as a parser would', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
        const text = JSON.stringify(value);
        const quotes = text.split('"').length - 1;
        const outside = text.replaceAll(/"(?:[^"\\]|\\.)*"/gs, '').length;

        expect(hasFewParts(text, { quotes, outside })).toBe(true);
        if (quotes > 0) expect(hasFewParts(text, { quotes: quotes - 1, outside })).toBe(false);
        if (outside > 0) expect(hasFewParts(text, { quotes, outside: outside - 1 })).toBe(false);
      }),
    );
  });
});
