import { describe, expect, test } from 'vitest';
import { checkRanks } from '#core/domain/log/rank-check.ts';

/** Rows with these lower bounds and ranks; null for a row whose rank is taken as stated. */
const rowsOf = (...rows: [low: number | null, rank: number][]) => ({
  lows: rows.map(([low]) => low ?? Number.NaN),
  ranks: rows.map(([, rank]) => rank),
});

const wrongIn = (rows: ReturnType<typeof rowsOf>, mayHaveGaps = false) =>
  checkRanks(rows, mayHaveGaps).wrong.map(({ at, recomputed }) => [at, recomputed]);

describe('checkRanks()', () => {
  test('counts rows that are taken as stated among those above', () => {
    expect(wrongIn(rowsOf([9, 1], [null, 2], [8, 3], [7, 4], [null, 5], [6, 6]))).toEqual([]);
    expect(wrongIn(rowsOf([9, 1], [null, 2], [8, 2], [8, 2], [7, 5]))).toEqual([]);
    expect(wrongIn(rowsOf([null, 1], [null, 1], [8, 3]))).toEqual([]);
  });

  test('finds ranks that do not fit between them', () => {
    expect(wrongIn(rowsOf([9, 1], [null, 2], [8, 4]))).toEqual([[2, 3]]);
    expect(wrongIn(rowsOf([9, 2], [null, 3], [8, 3]))).toEqual([
      [0, 1],
      [2, 2],
    ]);
    expect(wrongIn(rowsOf([8, 1], [9, 2]))).toEqual([
      [1, 1],
      [0, 2],
    ]);
  });

  test('allows gaps of removed operators', () => {
    const rows = rowsOf([9, 2], [null, 3], [8, 5]);

    expect(checkRanks(rows, true)).toEqual({ wrong: [], gaps: 2 });
    expect(wrongIn(rowsOf([9, 3], [null, 4], [8, 4]), true)).toEqual([]);
  });
});
