/** Windows: ranges of UTC days, including the last day. */
import type { WindowName } from '#core/schema/board.ts';
import { WINDOW_NAMES } from '#core/schema/names.ts';

export const WINDOWS = WINDOW_NAMES;

const LENGTH_DAYS: Record<WindowName, number> = {
  '7d': 7,
  '30d': 30,
  '90d': 90,
  all_time: Number.POSITIVE_INFINITY,
};

/** The first day of a window that ends with day number `last`; minus infinity for all time. */
export function firstDayOf(window: WindowName, last: number): number {
  return last - LENGTH_DAYS[window] + 1;
}
