import type { BucketSource } from '#core/domain/metrics/day-series.ts';
import {
  listAt,
  type NumberBlocks,
  NumberHeap,
  sharedColumn,
  textAt,
  TextHeap,
} from '../state/blocks.ts';
import type { BoardState } from '../state/board-state.ts';
import { partsLength, replaceIn, replaceSources, sheetLength } from '../state/sheet.ts';
import { rowLength } from '../state/standing-row.ts';
import type { Projected } from './read-changes.ts';
import { Registry } from './registry.ts';

/**
 * The same projection in new memory. It contains nothing of operators who are not on the board any more, also no tools
 * and models that only they used, and no earlier rows and names of the others.
 */
export function compacted(projected: Projected): Projected {
  const { state, term } = projected;
  const { operators } = state;
  const copier = new Copier(state, term.challenges.length);
  const texts = new TextHeap();
  const copied = (column: Uint32Array, copy: (position: number) => number) => {
    const positions = sharedColumn(column.length);
    column.forEach((position, slot) => {
      if (position !== 0) positions[slot] = copy(position);
    });
    return positions;
  };
  const sheets = copied(operators.sheets, (position) => copier.sheet(position));
  const names = copied(operators.names, (position) => texts.write(textAt(state.texts, position)));
  const { heap, registry } = copier;
  const counts = registry.tools.map((tool) => state.toolCounts[state.toolNames.indexOf(tool)] ?? 0);
  return {
    ...projected,
    nextNumber: heap.next,
    nextText: texts.next,
    state: {
      ...state,
      numbers: heap.blocks,
      texts: texts.blocks,
      toolNames: registry.tools,
      toolCounts: counts,
      sources: registry.sources,
      operators: { ...operators, sheets, names },
    },
  };
}

class Copier {
  readonly heap = new NumberHeap();
  readonly registry = new Registry();
  readonly #numbers: NumberBlocks;
  readonly #tools: readonly string[];
  readonly #sources: readonly BucketSource[];
  readonly #challenges: number;

  constructor({ numbers, toolNames, sources }: BoardState, challenges: number) {
    this.#numbers = numbers;
    this.#tools = toolNames;
    this.#sources = sources;
    this.#challenges = challenges;
  }

  sheet(position: number): number {
    const known = new Map<number, number>();
    const once = (from: number, copy: (from: number) => number) => {
      const to = known.get(from) ?? copy(from);
      known.set(from, to);
      return to;
    };
    const sheet = this.#read(position, (of) => sheetLength(of, this.#challenges));
    replaceIn(sheet, {
      tool: (number) => this.registry.toolNumber(this.#tools[number - 1] as string),
      parts: (from) => once(from, (at) => this.#parts(at)),
      row: (from) => once(from, (at) => this.#write(this.#read(at, rowLength))),
    });
    return this.#write(sheet);
  }

  #parts(position: number): number {
    const parts = this.#read(position, partsLength);
    replaceSources(parts, (number) =>
      this.registry.sourceNumber(this.#sources[number] as BucketSource),
    );
    return this.#write(parts);
  }

  #write(numbers: Float64Array): number {
    return this.heap.write(numbers, numbers.length);
  }

  /** A copy of the numbers at a position. */
  #read(position: number, lengthOf: typeof rowLength): Float64Array {
    return listAt(this.#numbers, position, lengthOf).slice();
  }
}
