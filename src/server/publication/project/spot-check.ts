/** Computes random operators again from the database, and compares them with what a projection has in memory. */
import { ENDED, type ProjectedRow } from '#db/operator-changes.ts';
import type { Store } from '#db/store.ts';
import { listAt, type NumberBlocks, NumberHeap, textAt } from '../state/blocks.ts';
import { partsLength, replaceIn, sheetLength } from '../state/sheet.ts';
import { rowLength } from '../state/standing-row.ts';
import { factsOf, shownText } from './operator-columns.ts';
import { OperatorWriter } from './project-operator.ts';
import type { Projected } from './read-changes.ts';
import { Registry } from './registry.ts';
import { statedInTerm } from './stated-days.ts';

/** One operator in this many is compared. */
const ONE_IN = 100;

/** @param random Returns numbers from 0 to below 1. */
export function randomSlots(slots: number, random: () => number = Math.random): number[] {
  const length = Math.ceil(slots / ONE_IN);
  return Array.from({ length }, () => Math.floor(random() * slots));
}

export class SpotCheck {
  readonly #store: Store;
  readonly #projected: Projected;
  readonly #registry: Registry;
  readonly #left: number[];
  /** Memory for one operator at a time. */
  #scratch: NumberBlocks = [];

  constructor(store: Store, projected: Projected, slots: readonly number[]) {
    const { sources, toolNames } = projected.state;
    this.#store = store;
    this.#projected = projected;
    this.#registry = new Registry(toolNames, sources);
    this.#left = [...slots];
  }

  get isDone(): boolean {
    return this.#left.length === 0;
  }

  /**
   * Compares operators until an instant of `performance.now()`, but at least one. Returns the IDs of those that differ.
   * Leaves out operators that changed after they were projected.
   */
  run(endMs: number): number[] {
    const { log_index, change } = this.#projected;
    return this.#store.snapshot(() => {
      const changed = new Set(this.#store.operatorChanges.since(log_index, change));
      const differing: number[] = [];
      for (let slot = this.#left.pop(); slot !== undefined; slot = this.#left.pop()) {
        const id = this.#projected.state.operators.ids[slot] as number;
        if (this.#differs(id, slot, changed)) differing.push(id);
        if (performance.now() >= endMs) break;
      }
      return differing;
    });
  }

  #differs(id: number, slot: number, changed: ReadonlySet<number>): boolean {
    // Slots of accounts that are gone have no ID.
    if (id === 0 || changed.has(id)) return false;
    const row = this.#store.operatorChanges.byId(id);
    if (!row) return !changed.has(ENDED);
    return !this.#isSame(slot, row);
  }

  #isSame(slot: number, row: ProjectedRow): boolean {
    const { state, term } = this.#projected;
    const { names, sheets, facts } = state.operators;
    const heap = new NumberHeap(this.#scratch);
    const writer = new OperatorWriter(heap, this.#registry, term);
    const usage = this.#store.usage.of(row.id);
    const stated = statedInTerm(this.#store, row.id, usage, term);
    const projected = writer.write(usage, stated, null);
    this.#scratch = heap.blocks;
    const text = shownText(slot, row);
    const nameAt = names[slot] as number;
    const content = (blocks: NumberBlocks, sheet: number) =>
      contentOf(blocks, sheet, term.challenges.length);
    return (
      facts[slot] === factsOf(row, projected, text !== null) &&
      text === (nameAt === 0 ? null : textAt(state.texts, nameAt)) &&
      isSame(content(heap.blocks, projected.sheet), content(state.numbers, sheets[slot] as number))
    );
  }
}

/** A sheet and everything that it refers to. Equal operators have equal contents, wherever they are in memory. */
function contentOf(blocks: NumberBlocks, position: number, challenges: number): number[] {
  if (position === 0) return [];
  const content: number[] = [];
  const added = (lengthOf: typeof rowLength) => (from: number) => {
    for (const number of listAt(blocks, from, lengthOf)) content.push(number);
    return 1;
  };
  const sheet = listAt(blocks, position, (place) => sheetLength(place, challenges)).slice();
  replaceIn(sheet, { tool: (number) => number, parts: added(partsLength), row: added(rowLength) });
  return [...sheet, ...content];
}

/** NaN equals NaN here, and 0 is not -0. */
function isSame(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((number, at) => Object.is(number, b[at]));
}
