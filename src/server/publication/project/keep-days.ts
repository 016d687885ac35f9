/** Stores the last publication of each day in compact form, once the day is over. */
import type { DailyStandingRow } from '#db/daily-standings.ts';
import type { Store } from '#db/store.ts';
import { type DailyStanding, packDailyStanding } from '#core/domain/board/daily-standing.ts';
import type { BoardSlice } from '#core/domain/board/board.ts';
import { slicesOf } from '#core/domain/board/slices.ts';
import { METRIC_NAMES } from '#core/domain/metrics/metrics.ts';
import { WINDOWS } from '#core/domain/metrics/window.ts';
import { blockAt, indexAt } from '../state/blocks.ts';
import {
  boardKey,
  type BoardState,
  type PublicationData,
  type PublicationHead,
} from '../state/board-state.ts';
import { boardPlace, rowIn } from '../state/sheet.ts';
import { standingAt, valueAt } from '../state/standing-row.ts';
import { readPublications } from '../stored/stored-publications.ts';
import { writeInChunks } from '../writer.ts';

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
    if (state) keepDay(store, head, state);
  }
}

/**
 * Whether a day is stored for good. If the clock was set forward and back, a day may have been stored too early. If
 * it was set back, a stored day must not change. The log shows which, because its instants never go back.
 */
function isKept({ dailyStandings, log }: Store, { as_of, log_index }: PublicationHead): boolean {
  const kept = dailyStandings.publication(as_of);
  if (!kept) return false;
  if (kept.log_index >= log_index) return true;
  return (log.at(log_index)?.received_at ?? '').slice(0, as_of.length) > as_of;
}

function keepDay(store: Store, head: PublicationHead, state: BoardState): void {
  const { as_of: day, log_index, ruleset, generated_at } = head;
  const { tools, self_reported } = state;
  store.dailyStandings.forget(day);
  for (const slice of slicesOf(state)) {
    const rows = dailyRows(state, slice);
    writeInChunks(rows, (chunk) => store.dailyStandings.add(day, slice, chunk));
  }
  store.dailyStandings.complete({ day, log_index, ruleset, generated_at, tools, self_reported });
}

/** The values to store for each operator of a slice. */
export function dailyRows(state: BoardState, slice: BoardSlice): DailyStandingRow[] {
  const { operators } = state;
  const standingOf = dailyStandings(state, slice);
  return Array.from(operators.byName, (slot) => {
    return { operator_id: operators.ids[slot] as number, standing: standingOf(slot) };
  })
    .filter(({ standing }) => Object.keys(standing).length > 0)
    .map(({ operator_id, standing }) => ({ operator_id, body: packDailyStanding(standing) }));
}

/** Returns a function that reads the values to keep of an operator in a slice. */
function dailyStandings(state: BoardState, slice: BoardSlice): (slot: number) => DailyStanding {
  const { numbers, operators, toolNames, boards } = state;
  const ofWindows = WINDOWS.map((window) => {
    const place = boardPlace(toolNames, slice, window);
    const rowOf = (slot: number) => {
      const position = rowIn(numbers, operators.sheets[slot] as number, place);
      return position === 0 ? null : { numbers: blockAt(numbers, position), at: indexAt(position) };
    };
    const orders = boards.find((one) => boardKey(one) === boardKey({ slice, window }))?.orders;
    const places = METRIC_NAMES.map((metric, index) => {
      const ranked = orders?.[metric].ranked ?? new Uint32Array();
      return placesBySlot(ranked, operators.ids.length, (slot) => {
        const row = rowOf(slot);
        return row ? valueAt(row.numbers, row.at, index) : Number.NaN;
      });
    });
    return { window, rowOf, places };
  });
  return (slot) => {
    const standing: DailyStanding = {};
    for (const { window, rowOf, places } of ofWindows) {
      const row = rowOf(slot);
      if (!row) continue;
      const { metrics, intervals } = standingAt(row);
      const byMetric = METRIC_NAMES.map((metric, index) => {
        const place = places[index]?.places[slot] || null;
        const rank = places[index]?.ranks[slot] || null;
        return [metric, { value: metrics[metric], interval: intervals[metric], rank, place }];
      });
      standing[window] = Object.fromEntries(byMetric);
    }
    return standing;
  };
}

/** The place and the rank of each operator by slot, from 1; 0 if unranked. Equal values share a rank. */
function placesBySlot(ranked: Uint32Array, slots: number, valueOf: (slot: number) => number) {
  const places = new Uint32Array(slots);
  const ranks = new Uint32Array(slots);
  let rank = 0;
  let last = Number.NaN;
  ranked.forEach((slot, index) => {
    const value = valueOf(slot);
    if (value !== last) rank = index + 1;
    last = value;
    places[slot] = index + 1;
    ranks[slot] = rank;
  });
  return { places, ranks };
}
