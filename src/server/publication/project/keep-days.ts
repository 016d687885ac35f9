/** Stores the last publication of each day in compact form, once the day is over. */
import type { DailyStandingRow } from '#db/daily-standings.ts';
import type { Store } from '#db/store.ts';
import { type DailyStanding, packDailyStanding } from '#core/domain/board/daily-standing.ts';
import type { BoardSlice } from '#core/domain/board/board.ts';
import { METRIC_NAMES } from '#core/domain/metrics/metrics.ts';
import { slicesOf } from '#core/domain/board/slices.ts';
import type {
  BoardColumns,
  PublicationHead,
  RankingColumns,
  SharedColumns,
} from '../read/columns.ts';
import { STANDING_NUMBERS, standingAt } from '../read/standing-numbers.ts';
import { readOrNull, readShared, readSlice } from '../read/stored.ts';
import { writeInChunks } from '../writer.ts';

/**
 * Stores the boards of days before `as_of` that are not stored yet, or were stored too early. If a publication cannot
 * be read, its day gets no board, and later publications continue.
 */
export function keepEarlierDays(store: Store, as_of: string): void {
  for (const head of store.publications.kept()) {
    if (head.as_of >= as_of || isKept(store, head)) continue;
    const whole = readOrNull(() => readWhole(store, head.id));
    if (whole) keepDay(store, head, whole);
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

interface WholePublication {
  shared: SharedColumns;
  slices: { slice: BoardSlice; boards: readonly BoardColumns[] }[];
}

function readWhole(store: Store, id: number): WholePublication {
  const shared = readShared(store, id);
  const slices = slicesOf(shared).map((slice) => ({ slice, boards: readSlice(store, id, slice) }));
  return { shared, slices };
}

function keepDay(store: Store, head: PublicationHead, { shared, slices }: WholePublication): void {
  const { as_of: day, log_index, ruleset, generated_at } = head;
  const { tools, self_reported } = shared;
  store.dailyStandings.forget(day);
  for (const { slice, boards } of slices) {
    const rows = dailyRows(shared.operators.ids, boards);
    writeInChunks(rows, (chunk) => store.dailyStandings.add(day, slice, chunk));
  }
  store.dailyStandings.complete({ day, log_index, ruleset, generated_at, tools, self_reported });
}

/** The values to store for each operator of a slice. */
export function dailyRows(ids: Uint32Array, boards: readonly BoardColumns[]): DailyStandingRow[] {
  const standings = new Map<number, DailyStanding>();
  for (const { window, operators, standings: numbers, rankings } of boards) {
    const places = METRIC_NAMES.map((metric) => [metric, placesByRow(rankings[metric])] as const);
    operators.forEach((position, row) => {
      const { metrics, intervals } = standingAt(numbers, row * STANDING_NUMBERS);
      const byMetric = places.map(([metric, { ranks, at }]) => {
        const place = at[row] as number;
        const isRanked = place > 0;
        const rank = isRanked ? (ranks[place - 1] as number) : null;
        const interval = intervals[metric];
        return [metric, { value: metrics[metric], interval, rank, place: isRanked ? place : null }];
      });
      const standing = standings.get(position) ?? {};
      standing[window] = Object.fromEntries(byMetric);
      standings.set(position, standing);
    });
  }
  return [...standings].map(([position, standing]) => ({
    operator_id: ids[position] as number,
    body: packDailyStanding(standing),
  }));
}

/** The place of each row, from 1; 0 if unranked. */
function placesByRow({ ranked, ranks, unranked }: RankingColumns) {
  const at = new Uint32Array(ranked.length + unranked.length);
  ranked.forEach((row, index) => {
    at[row] = index + 1;
  });
  return { ranks, at };
}
