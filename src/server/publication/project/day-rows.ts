import { type DayRow, boardAt, emptyRow, valueAt } from '#core/domain/board/day-row.ts';
import { METRIC_NAMES } from '#core/domain/metrics/metrics.ts';
import type { WindowName } from '#core/schema/board.ts';
import type { BoardColumns, RankingColumns } from '../read/columns.ts';
import { STANDING_NUMBERS, standingAt } from '../read/standing-numbers.ts';

interface WindowRows {
  window: WindowName;
  standings: Float64Array;
  /** The row of each operator by position, from 1; 0 without tokens. */
  rowOf: Uint32Array;
  /** By metric: the place and rank of each row; 0 while unranked. */
  rankings: { places: Uint32Array; ranks: Uint32Array }[];
}

/** Yields what a slice's boards show about each operator, sorted by operator ID. Reuses the same row. */
export function* dayRows(ids: Uint32Array, boards: readonly BoardColumns[]): Generator<DayRow> {
  const windows = boards.map((board) => windowRows(ids.length, board));
  const byId = Uint32Array.from(ids.keys()).sort((a, b) => (ids[a] as number) - (ids[b] as number));
  for (const position of byId) {
    const row = emptyRow(ids[position] as number);
    for (const window of windows) addWindow(row, window, position);
    if (row.windows > 0) yield row;
  }
}

function windowRows(total: number, board: BoardColumns): WindowRows {
  const { window, operators, standings, rankings } = board;
  const rowOf = new Uint32Array(total);
  operators.forEach((position, row) => {
    rowOf[position] = row + 1;
  });
  return { window, standings, rowOf, rankings: METRIC_NAMES.map((name) => byRow(rankings[name])) };
}

function byRow({ ranked, ranks, unranked }: RankingColumns) {
  const total = ranked.length + unranked.length;
  const [places, rankOf] = [new Uint32Array(total), new Uint32Array(total)];
  ranked.forEach((row, index) => {
    places[row] = index + 1;
    rankOf[row] = ranks[index] as number;
  });
  return { places, ranks: rankOf };
}

function addWindow(row: DayRow, of: WindowRows, position: number): void {
  const { window, standings, rowOf, rankings } = of;
  const at = (rowOf[position] as number) - 1;
  if (at < 0) return;
  row.windows += 1;
  const { metrics, intervals } = standingAt(standings, at * STANDING_NUMBERS);
  METRIC_NAMES.forEach((metric, index) => {
    const { places, ranks } = rankings[index] as WindowRows['rankings'][number];
    row.places[boardAt(window, metric)] = places[at] as number;
    row.ranks[boardAt(window, metric)] = ranks[at] as number;
    const [low, high] = intervals[metric] ?? [null, null];
    [metrics[metric], low, high].forEach((number, which) => {
      row.values[valueAt(window, metric, which)] = number ?? Number.NaN;
    });
  });
}
