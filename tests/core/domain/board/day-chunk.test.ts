import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type PackedChunk,
  chunkOf,
  chunksOf,
  chunkWithout,
  DayChunk,
} from '#core/domain/board/day-chunk.ts';
import { boardAt, VALUES, valueAt } from '#core/domain/board/day-row.ts';
import { readDailyStanding } from '#core/domain/board/daily-standing.ts';
import { SlicePlaces } from '#core/domain/board/slice-places.ts';
import {
  aRankedRow,
  packDailyStanding,
  rowsIn,
  someDayRows,
} from '#tests/support/board/kept-days.ts';

const rowsOf = (packed: readonly PackedChunk[]) => {
  return packed.flatMap((one) => rowsIn(new DayChunk(one)));
};

describe('chunksOf()', () => {
  test('packs any rows so that exactly the same numbers are read', () => {
    fc.assert(
      fc.property(someDayRows, (rows) => {
        const packed = [...chunksOf(rows)];

        expect(rowsOf(packed)).toStrictEqual(rows);
        expect(packed.map(({ chunk }) => chunk)).toEqual([
          ...new Set(rows.map(({ operator_id }) => chunkOf(operator_id))),
        ]);
      }),
    );
  });

  test('lets its source reuse a row', () => {
    const row = aRankedRow(1, 7);
    function* reused() {
      yield row;
      row.operator_id = 2;
      row.ranks.fill(9);
      yield row;
    }

    const [first, second] = rowsOf([...chunksOf(reused())]);

    expect([first?.ranks[0], second?.ranks[0]]).toEqual([7, 9]);
  });

  test('throws if rows are not sorted', () => {
    expect(() => [...chunksOf([aRankedRow(2, 1), aRankedRow(1, 2)])]).toThrow(RangeError);
  });

  test.each([0, -0, 1e-11, 9.99999999999e-11, 0.1, 1, 999_999_999_999, 1e12, 1e300, -3.25])(
    'keeps the value %d',
    (value) => {
      const row = aRankedRow(1, 1);
      row.values[valueAt('all_time', 'yield', 0)] = value;

      const [read] = rowsOf([...chunksOf([row])]);

      expect(read?.values[0]).toBe(value);
    },
  );

  test('needs 12 digits only where doubles need all', () => {
    const sizeOf = (value: number) => {
      const row = aRankedRow(1, 1);
      row.values[0] = value;
      return [...chunksOf([row])][0]?.values?.length;
    };

    expect([sizeOf(0.123456789012), sizeOf(1 / 3)]).toEqual([6 * VALUES, 8 * VALUES]);
  });
});

describe('chunkWithout()', () => {
  test('removes operators and leaves all others as they are', () => {
    fc.assert(
      fc.property(someDayRows, fc.func(fc.boolean()), (rows, isGone) => {
        const left = [...chunksOf(rows)].flatMap((chunk) => chunkWithout(chunk, isGone) ?? []);

        expect(rowsOf(left)).toStrictEqual(rows.filter(({ operator_id }) => !isGone(operator_id)));
      }),
    );
  });
});

describe('DayChunk', () => {
  test('returns ranks and places without values', () => {
    const [packed] = chunksOf([aRankedRow(5, 3, 2)]);
    const chunk = new DayChunk({ ...(packed as PackedChunk), values: null });

    expect(chunk.place(5, '90d', 'snr')).toEqual({
      value: null,
      interval: null,
      rank: 3,
      place: 3,
    });
    expect(chunk.place(5, '30d', 'snr')).toBeNull();
    expect(chunk.place(6, '90d', 'snr')).toBeNull();
  });

  test.each(['places', 'values'] as const)('throws if %s are damaged', (part) => {
    const [packed] = chunksOf([aRankedRow(5, 3)]);
    const damaged = { ...(packed as PackedChunk), [part]: new Uint8Array(7) };

    expect(() => new DayChunk(damaged)).toThrow(RangeError);
  });
});

describe('SlicePlaces', () => {
  test('finds every operator in any chunk', () => {
    fc.assert(
      fc.property(someDayRows, fc.integer({ min: 1, max: 3_000_000 }), (rows, other) => {
        const all = new SlicePlaces([...chunksOf(rows)].map((one) => new DayChunk(one).places));
        const ranks = all.ranks('90d', 'snr');
        const board = boardAt('90d', 'snr');

        expect(rows.map(({ operator_id }) => ranks[all.rowOf(operator_id) ?? -1])).toEqual(
          rows.map((row) => row.ranks[board]),
        );
        expect([...all.tokens('90d')]).toEqual(rows.map(({ windows }) => (windows > 1 ? 1 : 0)));
        const isThere = rows.some(({ operator_id }) => operator_id === other);
        expect(all.rowOf(other) !== null).toBe(isThere);
      }),
    );
  });
});

describe('readDailyStanding()', () => {
  test('reads the form of earlier versions', () => {
    fc.assert(
      fc.property(someDayRows, (rows) => {
        const read = rows.map((row) => readDailyStanding(row.operator_id, packDailyStanding(row)));

        expect(read).toStrictEqual(rows);
      }),
    );
  });
});
