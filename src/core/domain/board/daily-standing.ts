/**
 * The form in which days were stored before they were stored in chunks: a row for each operator. Windows go from the
 * longest to the shortest, and only those with tokens are there.
 *
 * @module
 */
import { METRIC_NAMES } from '../metrics/metrics.ts';
import { boardAt, type DayRow, emptyRow, FROM_LONGEST, valueAt } from './day-row.ts';

/** Three floats of 8 bytes, NaN for null, and two integers of 4, 0 for null; little-endian. */
const PLACE_BYTES = 32;
const LOW_AT = 8;
const HIGH_AT = 16;
const RANK_AT = 24;
const PLACE_AT = 28;
export const STANDING_WINDOW_BYTES = METRIC_NAMES.length * PLACE_BYTES;

/** Reads an operator's row. */
export function readDailyStanding(operator_id: number, body: Uint8Array): DayRow {
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  const row = emptyRow(operator_id);
  row.windows = Math.floor(body.length / STANDING_WINDOW_BYTES);
  FROM_LONGEST.slice(0, row.windows).forEach((window, index) => {
    METRIC_NAMES.forEach((metric, column) => {
      const at = index * STANDING_WINDOW_BYTES + column * PLACE_BYTES;
      [0, LOW_AT, HIGH_AT].forEach((offset, number) => {
        row.values[valueAt(window, metric, number)] = view.getFloat64(at + offset, true);
      });
      row.ranks[boardAt(window, metric)] = view.getUint32(at + RANK_AT, true);
      row.places[boardAt(window, metric)] = view.getUint32(at + PLACE_AT, true);
    });
  });
  return row;
}

/** Size of a place in the old format, which had no interval. */
const NARROW_BYTES = 16;
const NARROW_RANK_AT = 8;

/** Converts places from the old format without intervals to that of {@linkcode readDailyStanding}. */
export function widenDailyStanding(narrow: Uint8Array): Uint8Array {
  const places = Math.floor(narrow.length / NARROW_BYTES);
  const from = new DataView(narrow.buffer, narrow.byteOffset, narrow.byteLength);
  const bytes = new Uint8Array(places * PLACE_BYTES);
  const to = new DataView(bytes.buffer);
  for (let index = 0; index < places; index += 1) {
    const [source, target] = [index * NARROW_BYTES, index * PLACE_BYTES];
    to.setFloat64(target, from.getFloat64(source, true), true);
    to.setFloat64(target + LOW_AT, Number.NaN, true);
    to.setFloat64(target + HIGH_AT, Number.NaN, true);
    to.setUint32(target + RANK_AT, from.getUint32(source + NARROW_RANK_AT, true), true);
    to.setUint32(target + PLACE_AT, from.getUint32(source + NARROW_RANK_AT + 4, true), true);
  }
  return bytes;
}
