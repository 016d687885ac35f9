import { expect, test } from 'vitest';
import { nullCases } from '#components/metric/null-cases.ts';

test('the cases match the null rules of the specification', () => {
  const rows = nullCases().map(({ note, values }) => [note, ...values]);

  expect(rows).toEqual([
    [
      'I 1,251,211, O 11,296,121, W 128,196,310, R 2,555,179,769',
      ...['18,436.98', '2,042.2', '9.028', '0.9003', '3.31'],
    ],
    ['I 0, O 5,000, W 1,000, R 2,000', 'null', 'null', 'null', '1.0000', 'null'],
    ['I 1,000, O 0, W 500, R 3,000', '0.00', '3.0', '0.000', '0.0000', 'null'],
    ['I 1,000, O 5,000, W 0, R 3,000', '15.00', '3.0', '5.000', '0.8333', 'null'],
    ['I 1,000, O 5,000, W 500, R 0', '0.00', '0.0', '5.000', '0.8333', 'null'],
    ['I 1,000, O 5,000, W 500, R null', 'null', 'null', '5.000', '0.8333', 'null'],
    ['I 3, O 7, W 11, R 13', '10.11', '4.3', '2.333', '0.7000', '0.64'],
  ]);
});
