import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Elision } from '#agent/logs/elision.ts';

function elide(text: string, pieceBytes = text.length): string | null {
  const elision = new Elision();
  const bytes = Buffer.from(text);
  for (let from = 0; from < bytes.length; from += pieceBytes) {
    elision.push(bytes.subarray(from, from + pieceBytes));
  }
  return elision.text();
}

describe('Elision', () => {
  test('keeps JSON with short strings unchanged, in chunks of any size', () => {
    const scene = fc.record({ value: fc.json(), pieceBytes: fc.integer({ min: 1, max: 40 }) });

    fc.assert(
      fc.property(scene, ({ value, pieceBytes }) => {
        expect(elide(value, pieceBytes)).toBe(value);
      }),
    );
  });

  test.each(['x', '"', '\\', '\\"', '日', '\n'])(
    'replaces a long string of %j by one that is long, but not as long',
    (character) => {
      const text = JSON.stringify({ before: 1, long: character.repeat(5000), after: 'b' });
      const kept = JSON.parse(elide(text, 7) ?? '') as { long: string };

      expect(kept).toMatchObject({ before: 1, after: 'b' });
      expect(kept.long).toHaveLength(513);
    },
  );

  test('keeps a string of 512 bytes', () => {
    const text = JSON.stringify(['x'.repeat(512), 'é'.repeat(256)]);

    expect(elide(text, 100)).toBe(text);
  });

  test('gives up if the structure alone is too long', () => {
    expect(elide(`[${'1,'.repeat(5 << 20)}1]`)).toBeNull();
  });
});
