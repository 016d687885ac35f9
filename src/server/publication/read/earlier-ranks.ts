import type { BoardSlice } from '#core/domain/board/board.ts';
import { chunkOf } from '#core/domain/board/day-chunk.ts';
import type { DayPlaces } from '#core/domain/board/day-places.ts';
import { boardAt } from '#core/domain/board/day-row.ts';
import { dayName, dayNumber } from '#core/domain/counting/day.ts';
import type { WindowName } from '#core/schema/board.ts';
import type { MetricName } from '#core/schema/record.ts';
import type { Store } from '#db/store.ts';
import { RecentMemo } from '#server/process/recent-memo.ts';
import { storedSlice } from '../state/board-state.ts';
import type { EarlierRanks } from './published-board.ts';

type Readable = Pick<Store, 'keptDays'>;

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

/** Chunks of places that stay in memory, 41 KiB each. */
const MAX_CHUNKS = 256;
const known = new RecentMemo<object, DayPlaces | null>(MAX_CHUNKS);

function ranksOn({ keptDays }: Readable, day: string) {
  let publication: ReturnType<Readable['keptDays']['publication']>;
  return (slice: BoardSlice, window: WindowName, metric: MetricName, operator_id: number) => {
    publication ??= keptDays.publication(day);
    if (!publication) return null;
    const { log_index, tools } = publication;
    if (slice.tool !== null && !tools.includes(slice.tool)) return null;
    const stored = storedSlice(slice, publication);
    const chunk = chunkOf(operator_id);
    const key = JSON.stringify([day, log_index, stored.tool, stored.trust, chunk]);
    const places = known.read(keptDays, key, () => {
      return keptDays.chunk(day, stored, chunk, false)?.places ?? null;
    });
    const row = places?.rowOf(operator_id) ?? null;
    return places && row !== null ? places.rank(row, boardAt(window, metric)) : 0;
  };
}
