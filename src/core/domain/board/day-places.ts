/**
 * The places of up to 256 operators on a slice's boards of a day, in columns of one byte for each operator. Columns
 * of equal weight are next to each other, so that zeros form long runs for the compression.
 *
 * @module
 */
import { BOARDS, type DayRow, FROM_LONGEST } from './day-row.ts';

/** Bytes of a number, least significant first. */
const BYTES = 4;
/** Places, then how far each rank is above its place, which is 0 except in a tie. */
const NUMBERS = 2 * BOARDS;
/** The numbers of windows, then the bytes of all numbers. */
export const PLACE_COLUMNS = 1 + BYTES * NUMBERS;

/**
 * Packs places. A place in a shorter window is stored as its difference from the next longer one, because most are
 * close.
 */
export function packPlaces(rows: readonly DayRow[]): Uint8Array {
  const total = rows.length;
  const bytes = new Uint8Array(PLACE_COLUMNS * total);
  rows.forEach(({ windows, places, ranks }, row) => {
    bytes[row] = windows;
    const write = (column: number, number: number) => {
      for (let byte = 0; byte < BYTES; byte += 1) {
        bytes[(1 + byte * NUMBERS + column) * total + row] = number >>> (8 * byte);
      }
    };
    for (let board = 0; board < BOARDS; board += 1) {
      const window = board % FROM_LONGEST.length;
      if (window >= windows) continue;
      const place = places[board] as number;
      write(board, window === 0 ? place : zigzag(place - (places[board - 1] as number)));
      write(BOARDS + board, place - (ranks[board] as number));
    }
  });
  return bytes;
}

/** Packed places. Numbers are decoded when they are read. */
export class DayPlaces {
  /** In ascending order. */
  readonly operators: Uint32Array;
  readonly #bytes: Uint8Array;

  /** @throws {RangeError} if the bytes do not have these operators. */
  constructor(operators: Uint32Array, bytes: Uint8Array) {
    if (bytes.length !== operators.length * PLACE_COLUMNS)
      throw new RangeError('Places are damaged');
    this.operators = operators;
    this.#bytes = bytes;
  }

  /** The row of an operator; null without tokens in the slice. */
  rowOf(operator_id: number): number | null {
    const row = this.operators.indexOf(operator_id);
    return row < 0 ? null : row;
  }

  /** Whether a row has tokens on a board. Without them, it has no place there, and is not unranked either. */
  hasTokens(row: number, board: number): boolean {
    return (this.#bytes[row] as number) > board % FROM_LONGEST.length;
  }

  /** A row's place on a board, from 1; 0 while unranked. */
  place(row: number, board: number): number {
    if (!this.hasTokens(row, board)) return 0;
    const window = board % FROM_LONGEST.length;
    let place = this.#number(board - window, row);
    for (let at = board - window + 1; at <= board; at += 1)
      place += unzigzag(this.#number(at, row));
    return place >>> 0;
  }

  /** A row's rank on a board; 0 while unranked. */
  rank(row: number, board: number): number {
    return (this.place(row, board) - this.#number(BOARDS + board, row)) >>> 0;
  }

  #number(column: number, row: number): number {
    const bytes = this.#bytes;
    const total = this.operators.length;
    const step = NUMBERS * total;
    const at = (1 + column) * total + row;
    const [first, second] = [bytes[at] as number, bytes[at + step] as number];
    const [third, last] = [bytes[at + 2 * step] as number, bytes[at + 3 * step] as number];
    return first | (second << 8) | (third << 16) | (last << 24);
  }
}

/** Maps small negative numbers to small positive ones. */
function zigzag(difference: number): number {
  return (difference << 1) ^ (difference >> 31);
}

function unzigzag(number: number): number {
  return (number >>> 1) ^ -(number & 1);
}
