import type { BoardSlice } from '#core/domain/board/board.ts';
import type { WindowName } from '#core/schema/board.ts';
import type { MetricName } from '#core/schema/record.ts';
import type { Store } from '#db/store.ts';
import { placeAt } from '../state/blocks.ts';
import { findBoard } from '../state/board-state.ts';
import { namesAt } from '../state/names.ts';
import { isMember } from '../state/operator-facts.ts';
import { boardPlace, challengeRowIn, rowIn } from '../state/sheet.ts';
import type { RowPlace } from '../state/standing-row.ts';
import { addSum, rowSum } from '../state/sums.ts';
import { reachOf } from './project-operator.ts';
import type { Changes, Projected } from './read-changes.ts';

/** The operators on the board in one refresh. Records and challenges are decided among them. */
export interface Field {
  /** Their slots, sorted by name. */
  byName: Uint32Array;
  /** The slot of an operator; null if the operator is not on the board. */
  slotOf(id: number): number | null;
  idOf(slot: number): number;
  /** The row of an operator on a board; null without tokens. */
  row(slot: number, slice: BoardSlice, window: WindowName): RowPlace | null;
  /** The operators ranked on a board, best first. */
  ranked(slice: BoardSlice, window: WindowName, metric: MetricName): Uint32Array;
  /** The row of an operator in the challenge with an index; null without tokens. */
  challengeRow(slot: number, index: number): RowPlace | null;
  /** The sum of the terms of all rows in the challenge with an index. */
  sumIn(index: number): number;
  /** Whether a row in the challenge with an index may have changed since the last refresh. */
  hasChangedIn(index: number): boolean;
  /** Each metric's highest possible value in earlier windows that may set a record. */
  reachOf(id: number): Record<MetricName, number>;
  /** The IDs of all operators who may be shown, also those without tokens, sorted by name. */
  seenByName(): number[];
}

interface FieldSource extends Changes {
  /** What was found earlier on the same day. */
  last: Projected | null;
}

export function fieldOf(store: Store, { projected, last, changed, slots }: FieldSource): Field {
  const { term, state } = projected;
  const { numbers, operators, boards, toolNames, texts } = state;
  const { ids, sheets, names, facts, byName } = operators;
  const rowAt = (position: number): RowPlace | null =>
    position === 0 ? null : placeAt(numbers, position);
  const challengeRow = (slot: number, index: number) =>
    challengeRowIn(numbers, sheets[slot] as number, index);
  return {
    byName,
    slotOf(id) {
      const slot = slots.get(id);
      return slot !== undefined && isMember(facts[slot] as number) ? slot : null;
    },
    idOf: (slot) => ids[slot] as number,
    row: (slot, slice, window) =>
      rowAt(rowIn(numbers, sheets[slot] as number, boardPlace(toolNames, slice, window))),
    ranked(slice, window, metric) {
      const board = findBoard(boards, slice, window);
      return board?.orders[metric].ranked ?? new Uint32Array();
    },
    challengeRow: (slot, index) => rowAt(challengeRow(slot, index)),
    sumIn(index) {
      const terms = Array.from(byName, (slot) =>
        rowSum(numbers, challengeRow(slot, index), ids[slot] as number),
      );
      return terms.reduce(addSum, 0);
    },
    hasChangedIn(index) {
      const before = last?.state;
      return changed.some((slot) => {
        const was = before?.operators.sheets[slot] ?? 0;
        const hadRow = before && challengeRowIn(before.numbers, was, index) !== 0;
        return hadRow || challengeRow(slot, index) !== 0;
      });
    },
    reachOf: (id) => reachOf(store.usage.of(id), term),
    seenByName() {
      const seen = Array.from(ids, (id, slot) => ({ id, names: names[slot] as number }))
        .filter((one) => one.names !== 0)
        .map((one) => ({ id: one.id, ...namesAt(texts, one.names) }));
      return seen.sort((a, b) => (a.codename < b.codename ? -1 : 1)).map(({ id }) => id);
    },
  };
}
