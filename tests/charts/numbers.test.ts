import { describe, expect, test } from 'vitest';
import { dateText, shareText, tickText, tokensText, valueText } from '../../src/charts/numbers.ts';

describe('tickText()', () => {
  test('is as short as possible', () => {
    const ticks = [0, 0.01, 1, -2, 250, 1_000, 1_500, 10_000, 2e6, 1e9, 5e12, 1e15, 1e-9];
    expect(ticks.map(tickText)).toEqual([
      '0',
      '0.01',
      '1',
      '-2',
      '250',
      '1k',
      '1.5k',
      '10k',
      '2M',
      '1G',
      '5T',
      '1e15',
      '1e-9',
    ]);
  });
});

describe('valueText()', () => {
  test("has three digits for a ratio, and a record's decimals for other metrics", () => {
    const texts = [0, 0.012345, 3.14159, 77, 1_234.5, 999_999, 12_345_678, 1e15, 1e-9];
    expect(texts.map((value) => valueText('yield', value))).toEqual([
      '0',
      '0.0123',
      '3.14',
      '77',
      '1,230',
      '1M',
      '12.3M',
      '1e15',
      '1e-9',
    ]);
    expect(valueText('snr', 0.99934)).toBe('0.9993');
    expect(valueText('dev10x', -0.5)).toBe('-0.50');
  });
});

describe('shareText()', () => {
  test('is 0% or 100% only if exact', () => {
    expect([0, 0.0001, 0.001, 0.5, 0.9996, 1].map(shareText)).toEqual([
      '0%',
      'under 0.1%',
      '0.1%',
      '50%',
      'over 99.9%',
      '100%',
    ]);
  });
});

test('tokens and dates', () => {
  expect([0, 999, 1_251_211, 2_695_922_411].map(tokensText)).toEqual(['0', '999', '1.25M', '2.7G']);
  expect(dateText('2026-03-09', 'day')).toBe('9 Mar');
  expect(dateText('2026-03-09', 'month')).toBe('Mar 2026');
});
