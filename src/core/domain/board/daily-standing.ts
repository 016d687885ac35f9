/**
 * One operator's places on a day's boards, packed into bytes, because a board reads tens of thousands of them at
 * once and a history hundreds. Windows are written from the longest to the shortest, and only those in which the
 * operator has tokens. A shorter window's tokens are also in the longer ones, so no window in between is missing.
 *
 * @module
 */
import type { WindowName } from '#core/schema/board.ts';
import type { MetricName } from '#core/schema/record.ts';
import type { Interval } from '../metrics/interval.ts';
import { METRIC_NAMES } from '../metrics/metrics.ts';
import { WINDOWS } from '../metrics/window.ts';

/** An operator's place by one metric. */
export interface DailyPlace {
  /** To 12 significant digits; null if undefined. */
  value: number | null;
  interval: Interval | null;
  /** Null while unranked. */
  rank: number | null;
  /** The position on the board, starting at 1. Unlike the rank, it is unique in a tie. Null while unranked. */
  place: number | null;
}

/** An operator's places by window and metric; a window without tokens is absent. */
export type DailyStanding = Partial<Record<WindowName, Record<MetricName, DailyPlace>>>;

/** Three floats of 8 bytes, NaN for null, and two integers of 4, 0 for null; little-endian. */
const PLACE_BYTES = 32;
const LOW_AT = 8;
const HIGH_AT = 16;
const RANK_AT = 24;
const PLACE_AT = 28;
const WINDOW_BYTES = METRIC_NAMES.length * PLACE_BYTES;

const FROM_LONGEST = WINDOWS.toReversed();

/**
 * Packs an operator's places.
 *
 * @param standing Must not contain windows without tokens.
 */
export function packDailyStanding(standing: DailyStanding): Uint8Array {
  const windows = FROM_LONGEST.flatMap((window) => standing[window] ?? []);
  const bytes = new Uint8Array(windows.length * WINDOW_BYTES);
  const view = new DataView(bytes.buffer);
  windows.forEach((places, index) => {
    METRIC_NAMES.forEach((metric, column) => {
      const { value, interval, rank, place } = places[metric];
      const at = index * WINDOW_BYTES + column * PLACE_BYTES;
      view.setFloat64(at, value ?? Number.NaN, true);
      view.setFloat64(at + LOW_AT, interval?.[0] ?? Number.NaN, true);
      view.setFloat64(at + HIGH_AT, interval?.[1] ?? Number.NaN, true);
      view.setUint32(at + RANK_AT, rank ?? 0, true);
      view.setUint32(at + PLACE_AT, place ?? 0, true);
    });
  });
  return bytes;
}

/** An operator's place in a window by a metric; null without tokens in the window. */
export function dailyPlace(
  body: Uint8Array,
  window: WindowName,
  metric: MetricName,
): DailyPlace | null {
  const at = offsetOf(window, metric);
  if (at >= body.length) return null;
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  const float = (offset: number) => {
    const value = view.getFloat64(at + offset, true);
    return Number.isNaN(value) ? null : value;
  };
  const low = float(LOW_AT);
  return {
    value: float(0),
    interval: low === null ? null : [low, float(HIGH_AT)],
    rank: view.getUint32(at + RANK_AT, true) || null,
    place: view.getUint32(at + PLACE_AT, true) || null,
  };
}

/**
 * The offset of an operator's position in the packed bytes: four bytes, little-endian, all 0 while unranked. If
 * the operator has no tokens in the window, the bytes end before this offset.
 */
export function positionOffset(window: WindowName, metric: MetricName): number {
  return offsetOf(window, metric) + PLACE_AT;
}

function offsetOf(window: WindowName, metric: MetricName): number {
  return FROM_LONGEST.indexOf(window) * WINDOW_BYTES + METRIC_NAMES.indexOf(metric) * PLACE_BYTES;
}

/** Size of a place in the old format, which had no interval. */
const NARROW_BYTES = 16;
const NARROW_RANK_AT = 8;

/** Converts places from the old format without intervals to that of {@linkcode packDailyStanding}. */
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
