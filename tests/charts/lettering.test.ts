import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { drawn } from '../support/pages/drawn.ts';
import { type Lettering, cutTo, fitted, lettering, widthOf } from '../../src/charts/lettering.ts';

const STYLE: Lettering = { weight: 'strong', size: 12 };
const PLACE = { x: 10, y: 20, fill: '#000000' };

describe('lettering()', () => {
  test('writes text in the typeface, as wide as its frame', () => {
    const width = Math.round(widthOf('<東京>', STYLE) * 100) / 100;
    expect(lettering('<東京>', STYLE, PLACE).svg).toBe(
      `<svg x="10" y="8" width="${width + 1.5}" height="18"><text y="12" fill="#000000"` +
        ` font-family="Atkinson Hyperlegible Next SemiBold, system-ui, sans-serif" font-weight="600" font-size="12"` +
        ` textLength="${width}" lengthAdjust="spacingAndGlyphs" xml:space="preserve">&lt;東京&gt;</text></svg>`,
    );
  });

  test('aligns text to its end', () => {
    const width = widthOf('1,234.56', STYLE);
    const { svg } = lettering('1,234.56', STYLE, { ...PLACE, x: 200, isEnd: true });
    expect(svg).toMatch(/^<svg x="([\d.]+)".*<text x="[\d.]+" text-anchor="end"/);
    expect(Number(/x="([\d.]+)"/.exec(svg)?.[1]) + width).toBeCloseTo(200, 1);
  });

  test('removes characters that XML does not allow', () => {
    const { svg } = lettering('東\u0000\u0008\ud800京', STYLE, PLACE);
    expect(svg).toContain('>東京</text>');
    expect(lettering('A\u0000B', STYLE, PLACE)).toEqual(lettering('AB', STYLE, PLACE));
  });
});

describe('widthOf()', () => {
  test.each([
    ['Operators by yield, last 30 days', 'strong'],
    ['1,234,567.89 of 214: Übung', 'strong'],
    ['ranked operators', 'regular'],
  ] as const)('is the drawn width of %s', async (text, weight) => {
    const style = { weight, size: 60 };
    const width = widthOf(text, style);
    const { svg } = lettering(`|${text}|`, style, { x: 0, y: 70, fill: '#000000' });
    const picture = await drawn(
      `<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="90"><path d="M0 0h1600v90H0z" fill="#fff"/>${svg}</svg>`,
    );
    // The width between the strokes on both sides, without kerning.
    const bar = widthOf('|', style);
    const seen = (left: number, right: number) => picture.colours({ left, right }) > 1;
    expect(seen(Math.ceil(bar + width - 0.02 * width), Math.ceil(2 * bar + width))).toBe(true);
    expect(seen(Math.ceil(2 * bar + width), 1600)).toBe(false);
  });
});

describe('cutTo()', () => {
  test('keeps text that fits, and truncates longer text with an ellipsis', () => {
    expect(cutTo(200, 'Opbench', STYLE)).toBe('Opbench');
    expect(cutTo(40, 'Opbench of Europe', STYLE)).toBe('Opbe…');
    // A space before the ellipsis would look like a missing word.
    expect(cutTo(60, 'Opbench of Europe', STYLE)).toBe('Opbench…');
    expect(cutTo(1, 'Opbench', STYLE)).toBe('');
  });

  test('does not split a character', () => {
    const family = '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}';
    expect(cutTo(90, family + family, STYLE)).toBe(`${family}…`);
  });

  test('never exceeds the width, for any text', () => {
    const unit = fc.constantFrom(...'aW,é東☃ع \u0000\u200d\ud800', '\u{1f468}');
    const text = fc.string({ unit, maxLength: 40 });
    fc.assert(
      fc.property(text, fc.integer({ min: 0, max: 300 }), (long, room) => {
        expect(widthOf(cutTo(room, long, STYLE), STYLE)).toBeLessThanOrEqual(room);
      }),
    );
  });
});

test('fitted() shrinks text as needed, to half its size at most', () => {
  const text = 'Operators by yield, last 30 days';
  const big: Lettering = { weight: 'strong', size: 50 };
  expect(fitted(2000, text, big)).toBe(big);
  const smaller = fitted(600, text, big);
  expect(smaller.size).toBeLessThan(50);
  expect(widthOf(text, smaller)).toBeLessThanOrEqual(600);
  expect(fitted(10, text, big).size).toBe(25);
});
