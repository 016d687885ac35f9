/** The orders of a board: made from all its operators, or from an earlier order and the operators that changed. */
import { orderContenders } from '#core/domain/board/board.ts';
import { METRIC_NAMES } from '#core/domain/metrics/metrics.ts';
import { firstNot } from '#core/domain/text/binary-search.ts';
import type { MetricName } from '#core/schema/record.ts';
import {
  blockAt,
  indexAt,
  type NumberBlocks,
  sharedColumn,
  type SlotColumn,
} from '../state/blocks.ts';
import type { MetricOrder } from '../state/board-state.ts';
import {
  highestAt,
  lowestAt,
  metricAt,
  rankedMetricAt,
  totalAt,
  valueAt,
} from '../state/standing-row.ts';
import { type BoardPlace, rowIn } from '../state/sheet.ts';

type Orders = Record<MetricName, MetricOrder>;

/** Finds the rows of a board, by slot. */
export interface BoardRows {
  numbers: NumberBlocks;
  sheets: Uint32Array;
  place: BoardPlace;
}

/** @param byName The operators on the board, sorted by name; those without a row do not count. */
export function makeOrders({ numbers, sheets, place }: BoardRows, byName: Uint32Array): Orders {
  const positions = byName.map((slot) => rowIn(numbers, sheets[slot] as number, place));
  const slots = byName.filter((_, at) => positions[at] !== 0);
  const rows = positions.filter((position) => position !== 0);
  const column = (read: (block: Float64Array, at: number) => number) => {
    const values = new Float64Array(rows.length);
    rows.forEach((position, index) => {
      values[index] = read(blockAt(numbers, position), indexAt(position));
    });
    return values;
  };
  const totals = column(totalAt);
  const ofMetrics = METRIC_NAMES.map((metric, index): [MetricName, MetricOrder] => {
    const lows = column((block, at) => valueAt(block, at, index));
    const { ranked, unranked } = orderContenders({ lows, totals });
    const lowest = column((block, at) => lowestAt(block, at, metric));
    const highest = column((block, at) => highestAt(block, at, metric));
    const values = column((block, at) => metricAt(block, at, metric));
    const order = {
      ranked: slotsAt(slots, ranked),
      byLowest: slotsAt(slots, rising(lowest, ranked)),
      byHighest: slotsAt(slots, rising(highest, ranked)),
      byValue: slotsAt(slots, rising(values, ranked)),
      unranked: slotsAt(slots, unranked),
    };
    return [metric, order];
  });
  return Object.fromEntries(ofMetrics) as Orders;
}

function slotsAt(slots: Uint32Array, indexes: Uint32Array): SlotColumn {
  const column = sharedColumn(indexes.length);
  indexes.forEach((index, at) => {
    column[at] = slots[index] as number;
  });
  return column;
}

/** Some indexes by their values, lowest first. Sorting plain numbers is much faster than sorting indexes. */
function rising(values: Float64Array, indexes: Uint32Array): Uint32Array {
  const sorted = Float64Array.from(indexes, (index) => values[index] as number).sort();
  const taken = new Uint32Array(indexes.length);
  const result = new Uint32Array(indexes.length);
  for (const index of indexes) {
    const value = values[index] as number;
    const first = firstNot(sorted.length, (at) => (sorted[at] as number) < value);
    result[first + (taken[first] as number)] = index;
    taken[first] = (taken[first] as number) + 1;
  }
  return result;
}

/** The operators that changed since an order was made. */
export interface Changed {
  /** 1 at the slot of each. */
  marks: Uint8Array;
  /** Those that are on the board now, in any order. */
  present: Uint32Array;
  /** The place of each operator by name. */
  nameRanks: Uint32Array;
}

/** Removes the changed operators from the orders, and inserts them where they belong now. */
export function updateOrders(before: Orders, rows: BoardRows, changed: Changed): Orders {
  const { numbers, sheets, place } = rows;
  const positionOf = (slot: number) => rowIn(numbers, sheets[slot] as number, place);
  const present = changed.present.filter((slot) => positionOf(slot) !== 0);
  const { nameRanks } = changed;
  const nameRank = (slot: number) => nameRanks[slot] as number;
  const ofMetrics = METRIC_NAMES.map((metric, index): [MetricName, MetricOrder] => {
    const read = (slot: number, value: (block: Float64Array, at: number) => number) => {
      const position = positionOf(slot);
      return value(blockAt(numbers, position), indexAt(position));
    };
    const low = (slot: number) => read(slot, (block, at) => valueAt(block, at, index));
    const lowest = (slot: number) => read(slot, (block, at) => lowestAt(block, at, metric));
    const highest = (slot: number) => read(slot, (block, at) => highestAt(block, at, metric));
    const value = (slot: number) => read(slot, (block, at) => rankedMetricAt(block, at, metric));
    const total = (slot: number) => read(slot, totalAt);
    const isRanked = present.map((slot) => (Number.isNaN(low(slot)) ? 0 : 1));
    const ranked = present.filter((_, at) => isRanked[at] === 1);
    const unranked = present.filter((_, at) => isRanked[at] === 0);
    const larger = (a: number, b: number) => total(b) - total(a) || nameRank(a) - nameRank(b);
    const best = { key: (slot: number) => -low(slot), tie: larger };
    const order = before[metric];
    return [
      metric,
      {
        ranked: merged(order.ranked, changed.marks, ranked, best),
        byLowest: merged(order.byLowest, changed.marks, ranked, { key: lowest }),
        byHighest: merged(order.byHighest, changed.marks, ranked, { key: highest }),
        byValue: merged(order.byValue, changed.marks, ranked, { key: value }),
        unranked: merged(order.unranked, changed.marks, unranked, { key: nameRank }),
      },
    ];
  });
  return Object.fromEntries(ofMetrics) as Orders;
}

/** The key by which slots are sorted, lowest first, and what decides between equal keys. */
interface Sorting<Key extends number | string> {
  key: (slot: number) => Key;
  tie?: (a: number, b: number) => number;
}

/**
 * A sorted column without the marked slots and with others at their places. Returns the same column if it stays the
 * same.
 */
export function merged<Key extends number | string>(
  before: SlotColumn,
  marks: Uint8Array,
  added: Uint32Array,
  { key, tie = () => 0 }: Sorting<Key>,
): SlotColumn {
  const kept = withoutMarked(before, marks);
  if (kept.length === before.length && added.length === 0) return before;
  const result = sharedColumn(kept.length + added.length);
  const inserted = Array.from(added, (slot) => ({ slot, own: key(slot) }));
  inserted.sort((a, b) => compare(a.own, b.own) || tie(a.slot, b.slot));
  // About as many as lie between two that are inserted.
  const stride = 1 + Math.floor(kept.length / (added.length + 1));
  let from = 0;
  let at = 0;
  for (const { slot, own } of inserted) {
    const isBefore = (index: number) => {
      const other = kept[index] as number;
      return (compare(key(other), own) || tie(other, slot)) < 0;
    };
    const to = placeFrom(from, { stride, end: kept.length }, isBefore);
    result.set(kept.subarray(from, to), at);
    at += to - from;
    result[at] = slot;
    at += 1;
    from = to;
  }
  result.set(kept.subarray(from), at);
  return result;
}

/** Compares texts, or numbers that may be infinite. */
function compare<Key extends number | string>(a: Key, b: Key): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

function withoutMarked(column: Uint32Array, marks: Uint8Array): Uint32Array {
  const kept = new Uint32Array(column.length);
  let length = 0;
  for (let at = 0; at < column.length; at += 1) {
    const slot = column[at] as number;
    if (marks[slot] === 1) continue;
    kept[length] = slot;
    length += 1;
  }
  return kept.subarray(0, length);
}

/** The first index that is not before, from an index on. Goes ahead in strides, because it is rarely far away. */
function placeFrom(
  from: number,
  { stride, end }: { stride: number; end: number },
  isBefore: (index: number) => boolean,
): number {
  let low = from;
  while (low + stride <= end && isBefore(low + stride - 1)) low += stride;
  return low + firstNot(Math.min(stride - 1, end - low), (ahead) => isBefore(low + ahead));
}
