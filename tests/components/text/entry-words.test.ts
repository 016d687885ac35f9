import { describe, expect, test } from 'vitest';
import { classText, movedText, rangeText } from '#components/text/entry-words.ts';
import { intervalText, intervalTitle } from '#components/text/format.ts';

describe('movedText()', () => {
  test('has a sign and words for a change, and is null for none', () => {
    expect(movedText({ day: 2, week: -1 })).toEqual({
      sign: '\u2191\u00a02',
      words: '2 places up since yesterday, 1 place down in seven days',
    });
    expect(movedText({ day: -1_234, week: null })).toEqual({
      sign: '\u2193\u00a01,234',
      words: '1,234 places down since yesterday',
    });
    for (const day of [0, null]) expect(movedText({ day, week: 5 })).toBeNull();
  });
});

test('rangeText() is null for a single rank', () => {
  expect(rangeText([1, 5])).toBe('1\u20135');
  expect(rangeText([1_000, 12_345])).toBe('1,000\u201312,345');
  expect(rangeText([3, 3])).toBeNull();
});

test('classText() is null for unclassed operators', () => {
  expect(classText('cataract')).toBe('Cataract');
  expect(classText('unclassed')).toBeNull();
});

describe('intervalText()', () => {
  test("has both bounds with the metric's decimals, and the exact ones in the title", () => {
    expect(intervalText('yield', [380.123, 1_234_567.8])).toBe('380.12 to 1,234,568');
    expect(intervalTitle(403.2, [380.123, 511])).toBe('403.2; 95% interval 380.123 to 511');
  });

  test('handles intervals without an upper bound, and undefined ones', () => {
    expect(intervalText('snr', [0, null])).toBe('0.0000 to no upper bound');
    expect(intervalTitle(0.5, [0, null])).toBe('0.5; 95% interval 0 to no upper bound');
    expect(intervalText('yield', null)).toBe('');
    expect(intervalTitle(null, null)).toBe('undefined');
  });
});
