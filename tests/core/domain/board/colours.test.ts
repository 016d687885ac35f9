import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  COLOUR_ROLES,
  DEFAULT_COLOURS,
  SCHEMES,
  completeColours,
  contrastOf,
} from '#core/domain/board/colours.ts';
import { keyOf, unreadable } from '#server/config/board-colours.ts';
import { ROOT } from '#tests/support/board/context.ts';

/** @see {@link https://www.w3.org/TR/css-color-4/#color-conversion-code | CSS Color 4, conversions} */
function hexOf(lightness: number, chroma: number, hue: number): string {
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const linear = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
  const channels = linear.map((part) => {
    const gamma = part <= 0.0031308 ? 12.92 * part : 1.055 * part ** (1 / 2.4) - 0.055;
    return Math.round(255 * Math.min(1, Math.max(0, gamma)));
  });
  return `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}

test('the default colors are those of the style sheet', () => {
  const tokens = readFileSync(join(ROOT, 'src', 'styles', 'tokens.css'), 'utf8');

  for (const [at, scheme] of SCHEMES.entries()) {
    const found = COLOUR_ROLES.map((role) => {
      const pattern = new RegExp(`--${keyOf(role, '-')}: light-dark\\(([^;]+)\\);`);
      const colours = [...(pattern.exec(tokens)?.[1] ?? '').matchAll(/oklch\(([\d. ]+)\)/g)];
      const [lightness = 0, chroma = 0, hue = 0] = colours[at]?.[1]?.split(' ').map(Number) ?? [];
      return [role, hexOf(lightness, chroma, hue)];
    });
    expect(Object.fromEntries(found)).toEqual(DEFAULT_COLOURS[scheme]);
  }
});

describe('contrastOf()', () => {
  test.each([
    ['#000000', '#ffffff', 21],
    ['#ffffff', '#ffffff', 1],
    ['#777777', '#ffffff', 4.48],
    ['#ff0000', '#ffffff', 4],
    ['#0000ff', '#ffff00', 8],
  ])('of %s and %s is %d, in either order', (one, other, contrast) => {
    expect(contrastOf(one, other)).toBeCloseTo(contrast, 2);
    expect(contrastOf(other, one)).toBe(contrastOf(one, other));
  });
});

test.each(SCHEMES)('text and marks have enough contrast in the %s scheme', (scheme) => {
  const colours = DEFAULT_COLOURS[scheme];
  expect(unreadable({ [scheme]: {} }, { light: colours, dark: colours })).toEqual([]);
});

describe('completeColours()', () => {
  test.each(SCHEMES)('is the %s scheme if nothing is set', (scheme) => {
    expect(completeColours(scheme, {})).toEqual(DEFAULT_COLOURS[scheme]);
  });

  test('changes only one color if surface and ink stay the same', () => {
    expect(completeColours('light', { accent: '#004488' })).toEqual({
      ...DEFAULT_COLOURS.light,
      accent: '#004488',
    });
  });

  test('mixes the roles between a custom surface and ink', () => {
    expect(
      completeColours('light', { surface: '#ffffff', ink: '#000000', line: '#abcdef' }),
    ).toEqual({
      ...DEFAULT_COLOURS.light,
      surface: '#ffffff',
      surfaceSunk: '#f5f5f5',
      ink: '#000000',
      inkSoft: '#454545',
      line: '#abcdef',
      lineStrong: '#737373',
    });
  });
});
