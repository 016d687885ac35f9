import type { BoardSlice } from '#core/domain/board.ts';
import { dayNumber } from '#core/domain/day.ts';
import type { DayCounts } from '#core/domain/day-series.ts';
import type { AppContext } from '../context.ts';

/** What counts now of an operator on the boards of a slice, summed by day. */
export function summedDays(
  { records }: AppContext['store'],
  { id }: { id: number },
  slice: BoardSlice,
): DayCounts[] {
  const all = { operator_id: id, from: '', to: '9999-12-31', ...slice };
  return records.usage(all).map((counts) => ({ ...counts, day: dayNumber(counts.day) }));
}
