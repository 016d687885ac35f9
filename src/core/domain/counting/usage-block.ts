/**
 * What counts for an operator in a month, packed into bytes, from which boards read it ten times faster than from
 * rows. A block is a list of daily counts. Each is a list of integers: days since the previous one, source and flags,
 * then the reported counts. An integer is written in groups of 7 bits, lowest first; all but the last have the high
 * bit set.
 *
 * @module
 */
import type { Pillars } from '#core/schema/usage.ts';
import { DAY_MS } from './day.ts';

/** Day, source number, whether it was self-reported, input, output, cache_write, cache_read. */
export type BlockRow = [
  day: number,
  source: number,
  isSelfReported: 0 | 1,
  input: number,
  output: number,
  cache_write: number | null,
  cache_read: number | null,
];

/** A daily count with its source as an object. */
interface Usage<Source> extends Pillars {
  day: number;
  source: Source;
}

const SELF_REPORTED = 4;
const HAS_WRITE = 2;
const HAS_READ = 1;

/** The most bytes of a daily count: six integers below 2^53. */
const ROW_BYTES = 48;

/** A day's month: 12 times the year, plus the month, counted from 0. */
export function monthOf(day: number): number {
  const date = new Date(day * DAY_MS);
  return 12 * date.getUTCFullYear() + date.getUTCMonth();
}

export function firstDayOfMonth(month: number): number {
  return Date.UTC(Math.floor(month / 12), month % 12) / DAY_MS;
}

/** @param rows The daily counts of one month, sorted by day. */
export function encodeUsage(month: number, rows: readonly BlockRow[]): Uint8Array {
  const bytes = new Uint8Array(rows.length * ROW_BYTES);
  let length = 0;
  const write = (integer: number) => {
    let rest = integer;
    while (rest >= 0x80) {
      bytes[length++] = (rest % 0x80) + 0x80;
      rest = Math.floor(rest / 0x80);
    }
    bytes[length++] = rest;
  };
  let previous = firstDayOfMonth(month);
  for (const [day, source, isSelfReported, input, output, cache_write, cache_read] of rows) {
    const reported = (cache_write === null ? 0 : HAS_WRITE) + (cache_read === null ? 0 : HAS_READ);
    write(day - previous);
    write(source * 8 + isSelfReported * SELF_REPORTED + reported);
    write(input);
    write(output);
    if (cache_write !== null) write(cache_write);
    if (cache_read !== null) write(cache_read);
    previous = day;
  }
  return bytes.slice(0, length);
}

/**
 * Adds a month's daily counts to a list.
 *
 * @param sourceOf The object of a source; the same one for the same arguments.
 * @throws {RangeError} if the block is cut off.
 */
export function decodeUsage<Source>(
  { month, body }: { month: number; body: Uint8Array },
  sourceOf: (source: number, isSelfReported: boolean) => Source,
  usage: Usage<Source>[],
): void {
  const reader = new IntegerReader(body);
  let day = firstDayOfMonth(month);
  while (reader.at < body.length) {
    day += reader.next();
    const tag = reader.next();
    const source = sourceOf(Math.floor(tag / 8), (tag & SELF_REPORTED) !== 0);
    const input = reader.next();
    const output = reader.next();
    const cache_write = tag & HAS_WRITE ? reader.next() : null;
    const cache_read = tag & HAS_READ ? reader.next() : null;
    usage.push({ day, source, input, output, cache_write, cache_read });
  }
}

class IntegerReader {
  at = 0;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  next(): number {
    const bytes = this.#bytes;
    let integer = 0;
    let scale = 1;
    while (this.at < bytes.length) {
      const byte = bytes[this.at++] as number;
      if (byte < 0x80) return integer + byte * scale;
      integer += (byte - 0x80) * scale;
      scale *= 0x80;
    }
    throw new RangeError('A usage block ends in the middle of an integer');
  }
}
