import { expect, test } from 'vitest';
import { shortFigure } from '#agent/text/figures.ts';

test.each([
  [null, '-'],
  [0, '0'],
  [9_999, '9999'],
  [10_000, '10.0 k'],
  [12_345, '12.3 k'],
  [999_499, '999 k'],
  [999_500, '1.00 M'],
  [1_000_000, '1.00 M'],
  [Number.MAX_SAFE_INTEGER, '9.01 P'],
])('shortFigure(%s) is %s', (value, text) => {
  expect(shortFigure(value)).toBe(text);
});
