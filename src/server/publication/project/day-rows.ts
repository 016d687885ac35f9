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
import { blockAt, indexAt } from '../state/blocks.ts';
import { boardKey, type BoardState } from '../state/board-state.ts';
import { boardPlace, rowIn } from '../state/sheet.ts';
import { type RowPlace, standingAt, valueAt } from '../state/standing-row.ts';

interface WindowRows {
  window: WindowName;
  rowOf: (slot: number) => RowPlace | null;
  /** By metric: the place and rank of each operator by slot; 0 while unranked. */
  rankings: { places: Uint32Array; ranks: Uint32Array }[];
}

/** Yields what a slice's boards show about each operator, sorted by operator ID. Reuses the same row. */
export function* dayRows(state: BoardState, slice: BoardSlice): Generator<DayRow> {
  const { ids, byName } = state.operators;
  const windows = WINDOWS.map((window) => windowRows(state, slice, window));
  for (const slot of byName.slice().sort((a, b) => (ids[a] as number) - (ids[b] as number))) {
    const row = emptyRow(ids[slot] as number);
    for (const window of windows) addWindow(row, window, slot);
    if (row.windows > 0) yield row;
  }
}

function windowRows(state: BoardState, slice: BoardSlice, window: WindowName): WindowRows {
  const { numbers, operators, toolNames, boards } = state;
  const place = boardPlace(toolNames, slice, window);
  const rowOf = (slot: number) => {
    const position = rowIn(numbers, operators.sheets[slot] as number, place);
    return position === 0 ? null : { numbers: blockAt(numbers, position), at: indexAt(position) };
  };
  const board = boards.find((one) => boardKey(one) === boardKey({ slice, window }));
  const rankings = METRIC_NAMES.map((metric, index) => {
    const ranked = board?.orders[metric].ranked ?? new Uint32Array();
    return bySlot(ranked, operators.ids.length, (slot) => {
      const row = rowOf(slot);
      return row ? valueAt(row.numbers, row.at, index) : Number.NaN;
    });
  });
  return { window, rowOf, rankings };
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

function addWindow(row: DayRow, { window, rowOf, rankings }: WindowRows, slot: number): void {
  const own = rowOf(slot);
  if (!own) return;
  row.windows += 1;
  const { metrics, intervals } = standingAt(own);
  METRIC_NAMES.forEach((metric, index) => {
    const { places, ranks } = rankings[index] as WindowRows['rankings'][number];
    row.places[boardAt(window, metric)] = places[slot] as number;
    row.ranks[boardAt(window, metric)] = ranks[slot] as number;
    const [low, high] = intervals[metric] ?? [null, null];
    [metrics[metric], low, high].forEach((number, which) => {
      row.values[valueIndex(window, metric, which)] = number ?? Number.NaN;
    });
  });
}
