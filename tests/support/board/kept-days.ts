/** Days that are stored, in both forms. */
import type Database from 'better-sqlite3';
import fc from 'fast-check';
import type { BoardSlice } from '#core/domain/board/board.ts';
import { chunkOf, chunksOf, type DayChunk } from '#core/domain/board/day-chunk.ts';
import {
  BOARDS,
  type DailyPlace,
  type DayRow,
  boardAt,
  emptyRow,
  FROM_LONGEST,
  VALUES,
  valueAt,
} from '#core/domain/board/day-row.ts';
import { METRIC_NAMES } from '#core/domain/metrics/metrics.ts';
import type { WindowName } from '#core/schema/board.ts';
import type { MetricName } from '#core/schema/record.ts';
import { keptDaysIn } from '#db/kept-days.ts';
import type { Store } from '#db/store.ts';

type KeptDays = Store['keptDays'];
type PlaceOf = (window: WindowName, metric: MetricName) => DailyPlace;

/** An operator with tokens in the longest windows. */
export function aDayRow(operator_id: number, windows: number, placeOf: PlaceOf): DayRow {
  const row = { ...emptyRow(operator_id), windows };
  for (const window of FROM_LONGEST.slice(0, windows)) {
    for (const metric of METRIC_NAMES) {
      const { value, interval, rank, place } = placeOf(window, metric);
      const [low, high] = interval ?? [null, null];
      row.ranks[boardAt(window, metric)] = rank ?? 0;
      row.places[boardAt(window, metric)] = place ?? 0;
      [value, low, high].forEach((number, at) => {
        row.values[valueAt(window, metric, at)] = number ?? Number.NaN;
      });
    }
  }
  return row;
}

/** An operator with this rank by every metric, in the longest windows. */
export function aRankedRow(operator_id: number, rank: number | null, windows = 1): DayRow {
  return aDayRow(operator_id, windows, () => ({ value: 1.5, interval: null, rank, place: rank }));
}

export function addDay(
  days: Pick<KeptDays, 'add'>,
  day: string,
  slice: BoardSlice,
  rows: DayRow[],
) {
  for (const chunk of chunksOf(rows)) days.add(day, slice, chunk);
}

/** The operators in a stored slice who are public now, and a function that reads their places. */
export function keptRows(days: KeptDays, day: string, slice: BoardSlice) {
  const there = days.places(day, slice);
  return days.named().flatMap(({ operator_id, codename }) => {
    const placeOf = (window: WindowName, metric: MetricName) => {
      const chunk = days.chunk(day, slice, chunkOf(operator_id));
      return chunk?.place(operator_id, window, metric) ?? null;
    };
    return there.rowOf(operator_id) === null ? [] : [{ operator_id, codename, placeOf }];
  });
}

/** All rows of a chunk. */
export function rowsIn({ places, values }: DayChunk): DayRow[] {
  return [...places.operators].map((operator_id, row) => ({
    operator_id,
    windows: FROM_LONGEST.filter((window) => places.hasTokens(row, boardAt(window, 'yield')))
      .length,
    places: Uint32Array.from({ length: BOARDS }, (_, board) => places.place(row, board)),
    ranks: Uint32Array.from({ length: BOARDS }, (_, board) => places.rank(row, board)),
    values: Float64Array.from({ length: VALUES }, (_, at) => values?.number(row, at) ?? Number.NaN),
  }));
}

/** A row in the form in which versions before 0.14.0 stored it. */
export function packDailyStanding({ windows, places, ranks, values }: DayRow): Uint8Array {
  const bytes = Buffer.alloc(windows * METRIC_NAMES.length * 32);
  let at = 0;
  for (const window of FROM_LONGEST.slice(0, windows)) {
    for (const metric of METRIC_NAMES) {
      for (let number = 0; number < 3; number += 1) {
        bytes.writeDoubleLE(values[valueAt(window, metric, number)] as number, at + 8 * number);
      }
      bytes.writeUInt32LE(ranks[boardAt(window, metric)] as number, at + 24);
      bytes.writeUInt32LE(places[boardAt(window, metric)] as number, at + 28);
      at += 32;
    }
  }
  return bytes;
}

/** Brings all days of a database into the form of earlier versions. */
export function packAllAsRows(db: Database.Database): void {
  const days = keptDaysIn(db);
  const add = db.prepare('INSERT INTO daily_standings VALUES (?, ?, ?, ?, ?)');
  const keys = db.prepare('SELECT day, tool, trust, chunk FROM day_places').all() as ChunkKey[];
  for (const { day, tool, trust, chunk } of keys) {
    const packed = days.chunk(day, { tool: tool === '' ? null : tool, trust }, chunk);
    for (const row of packed ? rowsIn(packed) : []) {
      add.run(day, tool, trust, row.operator_id, packDailyStanding(row));
    }
  }
  db.exec('DELETE FROM day_values; DELETE FROM day_places');
}

interface ChunkKey {
  day: string;
  tool: string;
  trust: BoardSlice['trust'];
  chunk: number;
}

const count = fc.integer({ min: 1, max: 2 ** 32 - 1 });
const decimal = fc
  .tuple(
    fc.integer({ min: -999_999_999_999, max: 999_999_999_999 }),
    fc.integer({ min: 0, max: 22 }),
  )
  .map(([numerator, decimals]) => Number(`${numerator}e-${decimals}`));
const double = fc.double({ noNaN: true, noDefaultInfinity: true });

/** A place that a board may show, and some that it does not. `value` makes its numbers. */
const aPlace = (value: fc.Arbitrary<number>) =>
  fc
    .record({
      value: fc.option(value),
      interval: fc.option(fc.tuple(value, fc.option(value))),
      ranked: fc.option(fc.tuple(count, count)),
    })
    .map(({ ranked, ...numbers }): DailyPlace => {
      const [rank, place] = ranked ?? [null, null];
      return { ...numbers, rank, place };
    });

/** Rows of random operators with random places, sorted by ID. Equal numbers in several windows are frequent. */
export const someDayRows: fc.Arbitrary<DayRow[]> = fc
  .tuple(fc.boolean(), fc.uniqueArray(fc.integer({ min: 1, max: 3_000_000 }), { maxLength: 12 }))
  .chain(([isDecimal, ids]) => {
    const places = fc.array(aPlace(isDecimal ? decimal : double), { minLength: 1, maxLength: 20 });
    const row = fc.tuple(fc.integer({ min: 1, max: 4 }), places);
    return fc.tuple(
      fc.constant(ids),
      fc.array(row, { minLength: ids.length, maxLength: ids.length }),
    );
  })
  .map(([ids, rows]) => {
    return ids
      .toSorted((a, b) => a - b)
      .map((id, index) => {
        const [windows, places] = rows[index] as [number, DailyPlace[]];
        return aDayRow(id, windows, (window, metric) => {
          return places[boardAt(window, metric) % places.length] as DailyPlace;
        });
      });
  });
