/** Valid texts, bytes and values with something wrong, as unexpected input for parsers. */
import * as fc from 'fast-check';

/**
 * How properties are run: with the same values each time or, in the slow lane, longer and with other values each time.
 */
export const FUZZING = {
  seed: Number(process.env.FUZZ_SEED ?? 20_261_122),
  numRuns: Number(process.env.FUZZ_RUNS ?? 250),
  endOnFailure: true,
};

/** Generous, because the computer may be busy. */
export const FUZZING_MS = 120_000 + FUZZING.numRuns * 100;

/** The maximum number of mutations. */
const MOST = 4;

/** Valid JSON values that are unusual in most places. */
const ODD_VALUES: readonly unknown[] = [
  null,
  true,
  -1,
  0.5,
  2 ** 53,
  1e308,
  '',
  'x'.repeat(5_000),
  '\u0000',
  '\ud800',
  '__proto__',
  '9999-99-99T99:99:99Z',
  [],
  {},
  [[[[[]]]]],
  { __proto__: null, constructor: { prototype: 1 } },
];

/** Texts that are not valid as JSON values, or that mean something else than they seem to. */
const ODD_TOKENS = ['1e999', '-0', '01', 'NaN', '1'.repeat(400), '"\\ud800"', '"\\u0000"', '{"a":'];

/** The bytes of one of the seeds, with some of them changed, removed, duplicated or truncated. */
export function mutatedBytes(seeds: readonly Uint8Array[]): fc.Arbitrary<Uint8Array> {
  const edit = fc.record({
    kind: fc.constantFrom('flip', 'cut', 'double', 'end', 'junk'),
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    length: fc.integer({ min: 1, max: 64 }),
    value: fc.integer({ min: 0, max: 255 }),
  });
  const edits = fc.array(edit, { minLength: 1, maxLength: MOST });
  return fc.tuple(fc.constantFrom(...seeds), edits).map(([seed, wrong]) => {
    return wrong.reduce<Uint8Array>(
      (bytes, { kind, at, length, value }) =>
        edited(bytes, { kind, from: Math.floor(at * bytes.length), length, value }),
      seed,
    );
  });
}

interface Edit {
  kind: string;
  from: number;
  length: number;
  value: number;
}

function edited(bytes: Uint8Array, { kind, from, length, value }: Edit): Uint8Array {
  const before = bytes.subarray(0, from);
  const there = bytes.subarray(from, from + length);
  const after = bytes.subarray(from + length);
  switch (kind) {
    case 'flip':
      return Buffer.concat([before, there.map((byte) => byte ^ value), after]);
    case 'cut':
      return Buffer.concat([before, after]);
    case 'double':
      return Buffer.concat([before, there, there, after]);
    case 'end':
      return Buffer.from(before);
    default:
      return Buffer.concat([before, Buffer.alloc(length, value), there, after]);
  }
}

/** The same with text. Its bytes may then no longer be valid text. */
export function mutatedText(seeds: readonly string[]): fc.Arbitrary<string> {
  return mutatedBytes(seeds.map((seed) => Buffer.from(seed))).map((bytes) =>
    Buffer.from(bytes).toString(),
  );
}

/** The JSON of one of the seeds, with members that are changed, removed, duplicated or nested too deeply. */
export function mutatedJson(seeds: readonly unknown[]): fc.Arbitrary<string> {
  const change = fc.record({
    kind: fc.constantFrom('value', 'token', 'gone', 'twice', 'more', 'deep'),
    at: fc.nat(10_000),
    odd: fc.oneof(fc.constantFrom(...ODD_VALUES), fc.jsonValue({ maxDepth: 2 })),
    token: fc.constantFrom(...ODD_TOKENS),
  });
  const changes = fc.array(change, { minLength: 1, maxLength: MOST });
  return fc.tuple(fc.constantFrom(...seeds), changes).map(([seed, wrong]) => {
    return wrong.reduce((text, one) => changed(text, one), JSON.stringify(seed));
  });
}

interface Change {
  kind: string;
  at: number;
  odd: unknown;
  token: string;
}

/** A member with a plain value, where most can be wrong. */
const MEMBER = /"[\w.-]+":(?:"(?:[^"\\]|\\.)*"|-?[\d.]+|null|true|false|\[\]|\{\})/g;

function changed(text: string, { kind, at, odd, token }: Change): string {
  const members = [...text.matchAll(MEMBER)];
  const member = members[at % Math.max(1, members.length)];
  if (member === undefined) return kind === 'deep' ? '['.repeat(at) : text.slice(0, -1);
  const [whole] = member;
  const name = whole.slice(0, whole.indexOf(':') + 1);
  const by: Record<string, string> = {
    value: name + JSON.stringify(odd),
    token: name + token,
    gone: '"x":0',
    twice: `${whole},${name}${JSON.stringify(odd)}`,
    more: `${whole},"unknown_${at}":${JSON.stringify(odd)}`,
    deep: name + '['.repeat(at % 200) + ']'.repeat(at % 200),
  };
  return text.slice(0, member.index) + by[kind] + text.slice(member.index + whole.length);
}
