import { describe, expect, test } from 'vitest';
import { classText, movedText, rangeText } from '#components/text/entry-words.ts';
import { intervalText, intervalTitle } from '#components/text/format.ts';

describe('movedText()', () => {
  test('says in a sign and in words who moved, and nothing of who stayed', () => {
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

test('a range is told where the intervals allow more than one place', () => {
  expect(rangeText([1, 5])).toBe('1\u20135');
  expect(rangeText([1_000, 12_345])).toBe('1,000\u201312,345');
  expect(rangeText([3, 3])).toBeNull();
});

test('a class is named unless there is none', () => {
  expect(classText('cataract')).toBe('Cataract');
  expect(classText('unclassed')).toBeNull();
});

describe('intervalText()', () => {
  test('has both ends in the decimals of the metric, and whole ones in the title', () => {
    expect(intervalText('yield', [380.123, 1_234_567.8])).toBe('380.12 to 1,234,568');
    expect(intervalTitle(403.2, [380.123, 511])).toBe('403.2; 95% interval 380.123 to 511');
  });

  test('says where nothing bounds it, or where there is none', () => {
    expect(intervalText('snr', [0, null])).toBe('0.0000 to no upper bound');
    expect(intervalTitle(0.5, [0, null])).toBe('0.5; 95% interval 0 to no upper bound');
    expect(intervalText('yield', null)).toBe('');
    expect(intervalTitle(null, null)).toBe('undefined');
  });
});
