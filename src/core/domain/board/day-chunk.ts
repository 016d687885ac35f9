/**
 * Stored days in chunks: the numbers of up to 256 operators with consecutive IDs in a slice on a day.
 *
 * @module
 */
import type { WindowName } from '#core/schema/board.ts';
import type { MetricName } from '#core/schema/record.ts';
import { boardAt, type DailyPlace, type DayRow, valueAt } from './day-row.ts';
import { DayPlaces, packPlaces } from './day-places.ts';
import { DayValues, packValues } from './day-values.ts';

const CHUNK_BITS = 8;
export const CHUNK_OPERATORS = 2 ** CHUNK_BITS;

/** The chunk with an operator. */
export function chunkOf(operator_id: number): number {
  return operator_id >>> CHUNK_BITS;
}

/** A chunk in the form in which it is stored, before compression. */
export interface PackedChunk {
  chunk: number;
  /** The last byte of each operator's ID, ascending. */
  members: Uint8Array;
  places: Uint8Array;
  /** Null if the values are no longer stored. */
  values: Uint8Array | null;
}

/**
 * Packs rows into chunks, one at a time.
 *
 * @param rows Sorted by operator ID.
 * @throws {RangeError} if they are not sorted.
 */
export function* chunksOf(rows: Iterable<DayRow>): Generator<PackedChunk> {
  let open: DayRow[] = [];
  let last = -1;
  for (const row of rows) {
    const { operator_id } = row;
    if (operator_id <= last) throw new RangeError('Rows must be sorted by operator ID');
    if (open.length > 0 && chunkOf(operator_id) !== chunkOf(last)) {
      yield packChunk(open);
      open = [];
    }
    const places = row.places.slice();
    open.push({ ...row, places, ranks: row.ranks.slice(), values: row.values.slice() });
    last = operator_id;
  }
  if (open.length > 0) yield packChunk(open);
}

function packChunk(rows: readonly DayRow[]): PackedChunk {
  return {
    chunk: chunkOf(rows[0]?.operator_id ?? 0),
    members: Uint8Array.from(rows, ({ operator_id }) => operator_id % CHUNK_OPERATORS),
    places: packPlaces(rows),
    values: packValues(rows),
  };
}

/** A chunk without some of its operators: the same one if it has none of them, null if no other is left. */
export function chunkWithout(
  packed: PackedChunk,
  isGone: (operator_id: number) => boolean,
): PackedChunk | null {
  const { chunk, members } = packed;
  const left = [...members.keys()].filter((row) => {
    return !isGone(chunk * CHUNK_OPERATORS + (members[row] as number));
  });
  if (left.length === members.length) return packed;
  if (left.length === 0) return null;
  const only = (columns: Uint8Array) => rowsOfColumns(columns, members.length, left);
  const values = packed.values && only(packed.values);
  return { chunk, members: only(members), places: only(packed.places), values };
}

/** Columns of `total` rows with only some of the rows. */
function rowsOfColumns(columns: Uint8Array, total: number, rows: readonly number[]): Uint8Array {
  const left = new Uint8Array((columns.length / total) * rows.length);
  let at = 0;
  for (let column = 0; column < columns.length; column += total) {
    for (const row of rows) {
      left[at] = columns[column + row] as number;
      at += 1;
    }
  }
  return left;
}

/** A readable chunk. */
export class DayChunk {
  readonly places: DayPlaces;
  readonly values: DayValues | null;

  /** @throws {RangeError} if the bytes are damaged. */
  constructor({ chunk, members, places, values }: PackedChunk) {
    const operators = Uint32Array.from(members, (low) => chunk * CHUNK_OPERATORS + low);
    this.places = new DayPlaces(operators, places);
    this.values = values && new DayValues(members.length, values);
  }

  /** An operator's place on a board; null without tokens in the window. */
  place(operator_id: number, window: WindowName, metric: MetricName): DailyPlace | null {
    const { places, values } = this;
    const row = places.rowOf(operator_id);
    const board = boardAt(window, metric);
    if (row === null || !places.hasTokens(row, board)) return null;
    const number = (at: number) => values?.number(row, valueAt(window, metric, at)) ?? null;
    const low = number(1);
    return {
      value: number(0),
      interval: low === null ? null : [low, number(2)],
      rank: places.rank(row, board) || null,
      place: places.place(row, board) || null,
    };
  }
}
