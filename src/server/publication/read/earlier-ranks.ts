import type { BoardSlice } from '#core/domain/board/board.ts';
import { dailyPlace } from '#core/domain/board/daily-standing.ts';
import { dayName, dayNumber } from '#core/domain/counting/day.ts';
import type { WindowName } from '#core/schema/board.ts';
import type { MetricName } from '#core/schema/record.ts';
import type { Store } from '#db/store.ts';
import { storedSlice } from '../state/board-state.ts';
import type { EarlierRanks } from './published-board.ts';

type Readable = Pick<Store, 'dailyStandings' | 'publicLog'>;

/** Reads ranks on the kept days one and seven days before a board. */
export function earlierRanksIn(store: Readable, as_of: string): EarlierRanks {
  const today = dayNumber(as_of);
  const day = ranksOn(store, dayName(today - 1));
  const week = ranksOn(store, dayName(today - 7));
  return ({ slice, window }, metric, operator_id) => ({
    day: day(slice, window, metric, operator_id),
    week: week(slice, window, metric, operator_id),
  });
}

function ranksOn({ dailyStandings, publicLog }: Readable, day: string) {
  let known: ReturnType<Readable['dailyStandings']['publication']> | null = null;
  return (slice: BoardSlice, window: WindowName, metric: MetricName, operator_id: number) => {
    known ??= dailyStandings.publication(day);
    if (!known || (slice.tool !== null && !known.tools.includes(slice.tool))) return null;
    const body = publicLog.body(day, storedSlice(slice, known), operator_id);
    return (body && dailyPlace(body, window, metric)?.rank) ?? 0;
  };
}
