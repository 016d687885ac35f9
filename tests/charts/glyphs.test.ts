import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { fontOf, glyphFile } from '../../scripts/glyphs.mjs';
import { type Face, outlineOf } from '../../src/charts/glyphs.ts';
import { ROOT } from '../support/board/context.ts';

test('the outlines are those of the typeface that the pages use', () => {
  expect(readFileSync(`${ROOT}src/charts/glyphs.json`, 'utf8')).toBe(glyphFile());
});

describe('outlineOf()', () => {
  test.each<[string, Face]>([
    ['yield 1,234.56 of 214', { weight: 'regular' }],
    ['Today’s Übung: AV, To, Yield', { weight: 'strong' }],
    ['7 – 3 × 2 …', { weight: 'regular' }],
  ])('is as wide as a typesetter makes %s', (text, face) => {
    const { advanceWidth } = fontOf(face.weight === 'strong' ? 600 : 400).layout(text);
    // Pairs that stand closer by less than can be seen are left out.
    const width = outlineOf(text, face)?.width ?? 0;
    expect(Math.abs(width - advanceWidth)).toBeLessThan(0.01 * advanceWidth);
  });

  test('kerns the pairs that need it', () => {
    const alone = ['T', 'o'].map((text) => outlineOf(text, { weight: 'strong' })?.width ?? 0);
    expect(outlineOf('To', { weight: 'strong' })?.width).toBe(
      (alone[0] ?? 0) + (alone[1] ?? 0) - 80,
    );
  });

  test('gives all digits of a column one width', () => {
    const face: Face = { weight: 'strong', tabular: true };
    const widths = [...'0123456789'].map((digit) => outlineOf(digit, face)?.width);
    expect(new Set(widths).size).toBe(1);
    expect(outlineOf('11', face)?.width).toBe(outlineOf('88', face)?.width);
  });

  test('has nothing for a text of which a character has no outline', () => {
    expect(outlineOf('東京', { weight: 'strong' })).toBeNull();
    expect(outlineOf('yield ☃', { weight: 'regular' })).toBeNull();
    expect(outlineOf('', { weight: 'regular' })).toEqual({ path: '', width: 0 });
    // Names of what every object has are no glyphs either.
    expect(outlineOf('a', { weight: 'regular' })?.path).toMatch(/^M0 0m/);
  });
});
