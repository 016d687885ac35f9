/**
 * One operator's numbers on a slice's boards of a day, and the order in which they are stored. Windows go from the
 * longest to the shortest. A shorter window's tokens are also in the longer ones, so a number of windows says which
 * ones have tokens.
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
  /** To 12 significant digits; null if undefined or no longer stored. */
  value: number | null;
  interval: Interval | null;
  /** Null while unranked. */
  rank: number | null;
  /** The position on the board, starting at 1. Unlike the rank, it is unique in a tie. Null while unranked. */
  place: number | null;
}

export const FROM_LONGEST = WINDOWS.toReversed();

/** The boards of a slice. */
export const BOARDS = METRIC_NAMES.length * FROM_LONGEST.length;
/** Value, and lower and upper bound of the interval. */
export const NUMBERS_A_PLACE = 3;
export const VALUES = BOARDS * NUMBERS_A_PLACE;

/** An operator's numbers. A generator of rows may reuse the arrays for its next row. */
export interface DayRow {
  operator_id: number;
  /** How many windows have tokens, counted from the longest. */
  windows: number;
  /** By {@linkcode boardAt}; 0 while unranked. */
  places: Uint32Array;
  ranks: Uint32Array;
  /** By {@linkcode valueAt}; NaN stands for null. */
  values: Float64Array;
}

export function emptyRow(operator_id: number): DayRow {
  return {
    operator_id,
    windows: 0,
    places: new Uint32Array(BOARDS),
    ranks: new Uint32Array(BOARDS),
    values: new Float64Array(VALUES).fill(Number.NaN),
  };
}

/** The number of a board among those of its slice. */
export function boardAt(window: WindowName, metric: MetricName): number {
  return METRIC_NAMES.indexOf(metric) * FROM_LONGEST.length + FROM_LONGEST.indexOf(window);
}

/** Where a row has a value (0), or the lower (1) or upper (2) bound of its interval. */
export function valueAt(window: WindowName, metric: MetricName, number: number): number {
  const column = METRIC_NAMES.indexOf(metric) * NUMBERS_A_PLACE + number;
  return column * FROM_LONGEST.length + FROM_LONGEST.indexOf(window);
}
