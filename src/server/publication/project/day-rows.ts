import { type DayRow, boardAt, emptyRow, valueAt } from '#core/domain/board/day-row.ts';
import { METRIC_NAMES, significant } from '#core/domain/metrics/metrics.ts';
import type { MetricName } from '#core/schema/record.ts';
import type { BoardColumns, RankingColumns } from '../read/columns.ts';
import { highAt, lowAt, metricAt, STANDING_NUMBERS } from '../read/standing-numbers.ts';

interface WindowRows {
  standings: Float64Array;
  /** The row of each operator by position, from 1; 0 without tokens. */
  rowOf: Uint32Array;
  metrics: MetricRows[];
}

interface MetricRows {
  metric: MetricName;
  /** The place and rank of each row; 0 while unranked. */
  places: Uint32Array;
  ranks: Uint32Array;
  /** Where they and the value, lower and upper bound are stored. */
  board: number;
  columns: readonly [number, number, number];
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
  const metrics = METRIC_NAMES.map((metric): MetricRows => {
    const column = (number: number) => valueAt(window, metric, number);
    const columns = [column(0), column(1), column(2)] as const;
    return { metric, ...byRow(rankings[metric]), board: boardAt(window, metric), columns };
  });
  return { standings, rowOf, metrics };
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

function addWindow(row: DayRow, { standings, rowOf, metrics }: WindowRows, position: number) {
  const of = (rowOf[position] as number) - 1;
  if (of < 0) return;
  row.windows += 1;
  const at = of * STANDING_NUMBERS;
  metrics.forEach(({ metric, places, ranks, board, columns: [value, low, high] }, index) => {
    row.places[board] = places[of] as number;
    row.ranks[board] = ranks[of] as number;
    row.values[value] = significant(metricAt(standings, at, metric));
    row.values[low] = lowAt(standings, at, index);
    const upper = highAt(standings, at, index);
    row.values[high] = Number.isFinite(upper) ? upper : Number.NaN;
  });
}
