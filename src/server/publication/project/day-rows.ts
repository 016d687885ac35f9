import type { BoardSlice } from '#core/domain/board/board.ts';
import {
  boardAt,
  type DayRow,
  emptyRow,
  valueAt as valueIndex,
} from '#core/domain/board/day-row.ts';
import { METRIC_NAMES } from '#core/domain/metrics/metrics.ts';
import { WINDOWS } from '#core/domain/metrics/window.ts';
import type { WindowName } from '#core/schema/board.ts';
import type { MetricName } from '#core/schema/record.ts';
import { blockAt, indexAt } from '../state/blocks.ts';
import { type BoardState, findBoard } from '../state/board-state.ts';
import { boardPlace, rowIn } from '../state/sheet.ts';
import { standingAt, valueAt } from '../state/standing-row.ts';

interface WindowRows {
  /** The position of an operator's row; 0 without tokens. */
  positionOf: (slot: number) => number;
  metrics: MetricRows[];
}

interface MetricRows {
  metric: MetricName;
  /** The place and rank of each operator by slot; 0 while unranked. */
  places: Uint32Array;
  ranks: Uint32Array;
  /** Where they and the value, lower and upper bound are stored. */
  board: number;
  columns: readonly [number, number, number];
}

/** Yields what a slice's boards show about each operator, sorted by operator ID. Reuses the same row. */
export function* dayRows(state: BoardState, slice: BoardSlice): Generator<DayRow> {
  const { numbers, operators } = state;
  const { ids, byName } = operators;
  const windows = WINDOWS.map((window) => windowRows(state, slice, window));
  for (const slot of byName.slice().sort((a, b) => (ids[a] as number) - (ids[b] as number))) {
    const row = emptyRow(ids[slot] as number);
    for (const { positionOf, metrics } of windows) {
      const position = positionOf(slot);
      if (position === 0) continue;
      row.windows += 1;
      addRow(row, { metrics, slot, numbers: blockAt(numbers, position), at: indexAt(position) });
    }
    if (row.windows > 0) yield row;
  }
}

function windowRows(state: BoardState, slice: BoardSlice, window: WindowName): WindowRows {
  const { numbers, operators, toolNames, boards } = state;
  const place = boardPlace(toolNames, slice, window);
  const positionOf = (slot: number) => rowIn(numbers, operators.sheets[slot] as number, place);
  const board = findBoard(boards, slice, window);
  const metrics = METRIC_NAMES.map((metric, index): MetricRows => {
    const ranked = board?.orders[metric].ranked ?? new Uint32Array();
    const valueOf = (slot: number) => {
      const position = positionOf(slot);
      return valueAt(blockAt(numbers, position), indexAt(position), index);
    };
    const column = (number: number) => valueIndex(window, metric, number);
    const columns = [column(0), column(1), column(2)] as const;
    const ranks = bySlot(ranked, operators.ids.length, valueOf);
    return { metric, ...ranks, board: boardAt(window, metric), columns };
  });
  return { positionOf, metrics };
}

/** The place and the rank of each operator, from 1. Equal values share a rank. */
function bySlot(ranked: Uint32Array, slots: number, valueOf: (slot: number) => number) {
  const [places, ranks] = [new Uint32Array(slots), new Uint32Array(slots)];
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

interface Added {
  metrics: readonly MetricRows[];
  slot: number;
  numbers: Float64Array;
  at: number;
}

function addRow(row: DayRow, { metrics, slot, ...place }: Added): void {
  const standing = standingAt(place);
  for (const { metric, places, ranks, board, columns } of metrics) {
    const [value, low, high] = columns;
    const [lower, upper] = standing.intervals[metric] ?? [null, null];
    row.places[board] = places[slot] as number;
    row.ranks[board] = ranks[slot] as number;
    row.values[value] = standing.metrics[metric] ?? Number.NaN;
    row.values[low] = lower ?? Number.NaN;
    row.values[high] = upper ?? Number.NaN;
  }
}
