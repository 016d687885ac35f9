import type { StandingLine, StatedPlace } from '#core/schema/public-log.ts';
import { WINDOWS } from '../metrics/window.ts';

/** The form of a row that an early or an old board may have. */
export interface RowForm {
  /** Without intervals, because the board is older than they are. */
  isOld: boolean;
  /** Without values, because the board deleted them later. */
  isThinned: boolean;
}

/** Boards stored before boards had intervals have only values and ranks. */
export function isWithoutIntervals(row: StandingLine): boolean {
  return placesOf(row).every(([, , low]) => low === null);
}

/** Boards of older days have only ranks. */
export function isWithoutValues(row: StandingLine): boolean {
  return placesOf(row).every(([, value, low]) => value === null && low === null);
}

export function isRankedAnywhere(row: StandingLine): boolean {
  return placesOf(row).some(([rank]) => rank !== null);
}

function placesOf({ windows }: StandingLine): StatedPlace[] {
  return WINDOWS.flatMap((window) => Object.values(windows[window] ?? {}));
}
