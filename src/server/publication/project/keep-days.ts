/** Stores the last publication of each day in compact form, once the day is over. */
import type { Store } from '#db/store.ts';
import type { BoardSlice } from '#core/domain/board/board.ts';
import { chunksOf } from '#core/domain/board/day-chunk.ts';
import type { DayRow } from '#core/domain/board/day-row.ts';
import { slicesOf } from '#core/domain/board/slices.ts';
import { dayName, dayNumber } from '#core/domain/counting/day.ts';
import type { PublicationData, PublicationHead } from '../state/board-state.ts';
import { readPublications } from '../stored/stored-publications.ts';
import { pause } from '../writer.ts';
import { dayRows } from './day-rows.ts';

/** The pause after each transaction. A submission that waits for a write blocks the server. */
const PAUSE_MS = 2;

/**
 * Stores the boards of days before `as_of` that are not stored yet, or were stored too early. If a publication cannot
 * be read, its day gets no board, and later publications continue.
 *
 * @param last The last publication, if it is in memory.
 */
export function keepEarlierDays(store: Store, as_of: string, last: PublicationData | null): void {
  for (const head of store.publications.kept()) {
    if (head.as_of >= as_of || isKept(store, head)) continue;
    const state =
      last?.head.id === head.id ? last.state : readPublications(store, [head.id])[0]?.data.state;
    if (state) keepDay(store, head, state, (slice) => dayRows(state, slice));
  }
}

/**
 * Whether a day is stored for good. If the clock was set forward and back, a day may have been stored too early. If
 * it was set back, a stored day must not change. The log shows which, because its instants never go back.
 */
function isKept({ keptDays, log }: Store, { as_of, log_index }: PublicationHead): boolean {
  const kept = keptDays.publication(as_of);
  if (!kept) return false;
  if (kept.log_index >= log_index) return true;
  return (log.at(log_index)?.received_at ?? '').slice(0, as_of.length) > as_of;
}

/**
 * Stores the boards of a publication as those of its day, with one chunk of rows in memory at a time.
 *
 * @param shared Which slices the publication has.
 * @param rowsOf Yields a slice's rows, sorted by operator ID.
 */
export function keepDay(
  store: Pick<Store, 'keptDays'>,
  { as_of: day, log_index, ruleset, generated_at }: Omit<PublicationHead, 'id'>,
  { tools, self_reported }: { tools: string[]; self_reported: boolean },
  rowsOf: (slice: BoardSlice) => Iterable<DayRow>,
): void {
  const { keptDays } = store;
  keptDays.forget(day);
  for (const slice of slicesOf({ tools, self_reported })) {
    for (const chunk of chunksOf(rowsOf(slice))) {
      keptDays.add(day, slice, chunk);
      pause(PAUSE_MS);
    }
  }
  keptDays.complete({ day, log_index, ruleset, generated_at, tools, self_reported });
}

/**
 * Deletes the values of older days, except those of the last stored day of each month. Ranks and places stay. Days
 * are counted from the newest one before `as_of`, so the length of a pause makes no difference.
 *
 * @param days How many days keep their values.
 */
export function thinEarlierDays(
  { keptDays }: Pick<Store, 'keptDays'>,
  as_of: string,
  days: number,
): void {
  const [newest] = keptDays.kept(as_of, 1);
  if (!newest) return;
  const before = dayName(dayNumber(newest.day) - days + 1);
  while (keptDays.thinNext(before)) pause(PAUSE_MS);
}
