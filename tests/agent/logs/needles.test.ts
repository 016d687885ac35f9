import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Needles } from '#agent/logs/needles.ts';

/** The first place of any needle, looked for one after the other. */
function firstOf(needles: readonly string[], bytes: Buffer, from: number, to: number): number {
  const places = needles.map((needle) => bytes.subarray(0, to).indexOf(needle, from));
  return Math.min(...places.map((place) => (place < 0 ? Infinity : place)));
}

describe('Needles', () => {
  test('finds the first of several, also beside each other and at both ends', () => {
    const needles = new Needles(['"token"', '"turn"', '"session"']);
    const bytes = Buffer.from('"turn""session" "token"');

    expect([0, 1, 7, 16, 17].map((from) => needles.first(bytes, from, bytes.length))).toEqual([
      0, 6, 16, 16, -1,
    ]);
  });

  test('finds nothing beyond the end, and nothing without needles', () => {
    const bytes = Buffer.from('ab needle');

    expect(new Needles(['needle']).first(bytes, 0, 8)).toBe(-1);
    expect(new Needles(['needle']).first(bytes, 0, 99)).toBe(3);
    expect(new Needles([]).first(bytes, 0, 9)).toBe(-1);
  });

  test('tells whether a text holds one', () => {
    expect(new Needles(['nä', 'xyz']).isIn('eine Nänie nä')).toBe(true);
    expect(new Needles(['nä', 'xyz']).isIn('xy z')).toBe(false);
  });

  test('finds what a plain search finds, in any bytes', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 2, maxLength: 6 });
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd'), maxLength: 300 });
    const scene = fc.record({
      needles: fc.array(letters, { minLength: 1, maxLength: 4 }),
      text,
      from: fc.nat(20),
      to: fc.nat(300),
    });

    fc.assert(
      fc.property(scene, ({ needles, text: hay, from, to }) => {
        const bytes = Buffer.from(hay);
        const end = Math.min(to, bytes.length);
        const expected = firstOf(needles, bytes, from, end);

        expect(new Needles(needles).first(bytes, from, to)).toBe(
          expected === Infinity ? -1 : expected,
        );
      }),
    );
  });
});
