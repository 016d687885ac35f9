/**
 * The values and intervals of up to 256 operators on a slice's boards of a day, in columns of one byte for each
 * operator. Numbers have 12 significant digits, so they take 5 bytes as a decimal fraction instead of 8, and decode
 * to exactly the same number.
 *
 * @module
 */
import { type DayRow, FROM_LONGEST, VALUES } from './day-row.ts';

/** How many past days keep their values, unless the admin sets another number. */
export const DEFAULT_VALUES_DAYS = 35;

/** The bytes of a numerator. 12 digits need 40 bits. */
const NUMERATOR_BYTES = 5;
const MAX_NUMERATOR = 2 ** (8 * NUMERATOR_BYTES) - 1;
/** The codes of all numbers, then the bytes of their numerators, least significant first. */
const DECIMAL_COLUMNS = (1 + NUMERATOR_BYTES) * VALUES;
const DOUBLE_BYTES = 8;
const DOUBLE_COLUMNS = DOUBLE_BYTES * VALUES;

const NULL_CODE = 0;
/** The number is that of the next longer window. */
const SAME_CODE = 1;
/** The code of a number with 0 decimals. Negative numbers have the codes after those of all positive ones. */
const FIRST_CODE = 2;

/** The highest power of ten that a double has exactly. A division by it rounds like reading the decimal text. */
const MAX_DECIMALS = 22;
const POWERS = Array.from({ length: MAX_DECIMALS + 1 }, (_, decimals) => Number(`1e${decimals}`));
const DIGITS = 12;

/** Packs values: as decimal fractions, or as doubles if any number is not exactly such a fraction. */
export function packValues(rows: readonly DayRow[]): Uint8Array {
  const total = rows.length;
  const bytes = new Uint8Array(DECIMAL_COLUMNS * total);
  for (const [row, { windows, values }] of rows.entries()) {
    for (let column = 0; column < VALUES; column += 1) {
      const window = column % FROM_LONGEST.length;
      const value = values[column] as number;
      if (window >= windows || Number.isNaN(value)) continue;
      const at = column * total + row;
      if (window > 0 && Object.is(value, values[column - 1])) bytes[at] = SAME_CODE;
      else if (!writeDecimal(bytes, at, value)) return packDoubles(rows);
    }
  }
  return bytes;
}

/** Returns false if the number is not exactly a decimal fraction. */
function writeDecimal(bytes: Uint8Array, at: number, value: number): boolean {
  const size = Math.abs(value);
  const digits = size === 0 ? DIGITS : Math.floor(Math.log10(size)) + 1;
  const decimals = Math.min(Math.max(DIGITS - digits, 0), MAX_DECIMALS);
  let numerator = Math.round(size * (POWERS[decimals] as number));
  const code = FIRST_CODE + decimals + (value < 0 ? POWERS.length : 0);
  if (numerator > MAX_NUMERATOR || !Object.is(decimalOf(code, numerator), value)) return false;
  bytes[at] = code;
  const step = bytes.length / (1 + NUMERATOR_BYTES);
  for (let byte = at + step; byte < bytes.length; byte += step) {
    bytes[byte] = numerator;
    numerator = Math.floor(numerator / 256);
  }
  return true;
}

function decimalOf(code: number, numerator: number): number {
  const decimals = code - FIRST_CODE;
  const isNegative = decimals >= POWERS.length;
  const divisor = POWERS[isNegative ? decimals - POWERS.length : decimals] as number;
  return isNegative ? -numerator / divisor : numerator / divisor;
}

function packDoubles(rows: readonly DayRow[]): Uint8Array {
  const bytes = new Uint8Array(DOUBLE_COLUMNS * rows.length);
  const view = new DataView(new ArrayBuffer(DOUBLE_BYTES));
  rows.forEach(({ windows, values }, row) => {
    values.forEach((value, column) => {
      const isAbsent = column % FROM_LONGEST.length >= windows;
      view.setFloat64(0, isAbsent ? Number.NaN : value);
      for (let byte = 0; byte < DOUBLE_BYTES; byte += 1) {
        bytes[(byte * VALUES + column) * rows.length + row] = view.getUint8(byte);
      }
    });
  });
  return bytes;
}

/** Packed values. Numbers are decoded when they are read. */
export class DayValues {
  readonly #bytes: Uint8Array;
  readonly #total: number;

  /**
   * @param total The number of operators.
   * @throws {RangeError} if the bytes do not have that many operators.
   */
  constructor(total: number, bytes: Uint8Array) {
    const columns = bytes.length / total;
    if (columns !== DECIMAL_COLUMNS && columns !== DOUBLE_COLUMNS) {
      throw new RangeError('Values are damaged');
    }
    this.#bytes = bytes;
    this.#total = total;
  }

  /** A number of a row; null if it is undefined. Its column is that of `valueAt()`. */
  number(row: number, column: number): number | null {
    const at = column * this.#total + row;
    if (this.#bytes.length > DECIMAL_COLUMNS * this.#total) return this.#double(at);
    const code = this.#bytes[at] as number;
    if (code === NULL_CODE) return null;
    return code === SAME_CODE ? this.number(row, column - 1) : decimalOf(code, this.#numerator(at));
  }

  #numerator(at: number): number {
    const step = VALUES * this.#total;
    let numerator = 0;
    for (let byte = NUMERATOR_BYTES; byte > 0; byte -= 1) {
      numerator = numerator * 256 + (this.#bytes[at + byte * step] as number);
    }
    return numerator;
  }

  #double(at: number): number | null {
    const view = new DataView(new ArrayBuffer(DOUBLE_BYTES));
    for (let byte = 0; byte < DOUBLE_BYTES; byte += 1) {
      view.setUint8(byte, this.#bytes[at + byte * VALUES * this.#total] as number);
    }
    const value = view.getFloat64(0);
    return Number.isNaN(value) ? null : value;
  }
}
