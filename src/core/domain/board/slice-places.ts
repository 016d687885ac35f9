import type { WindowName } from '#core/schema/board.ts';
import type { MetricName } from '#core/schema/record.ts';
import { indexIn } from '../text/binary-search.ts';
import type { DayPlaces } from './day-places.ts';
import { boardAt } from './day-row.ts';

/** The places of all operators on a slice's boards of a day, from its chunks. */
export class SlicePlaces {
  /** In ascending order of their IDs. */
  readonly operators: Uint32Array;
  readonly #chunks: readonly DayPlaces[];

  /** @param chunks In ascending order. */
  constructor(chunks: readonly DayPlaces[]) {
    this.#chunks = chunks;
    const total = chunks.reduce((sum, { operators }) => sum + operators.length, 0);
    this.operators = new Uint32Array(total);
    this.#fill(this.operators, (chunk, row) => chunk.operators[row] as number);
  }

  /** The row of an operator; null without tokens in the slice. */
  rowOf(operator_id: number): number | null {
    const { operators } = this;
    return indexIn(operators.length, operator_id, (row) => operators[row] as number);
  }

  /** Each operator's place, from 1; 0 while unranked. */
  places(window: WindowName, metric: MetricName): Uint32Array {
    const board = boardAt(window, metric);
    return this.#column(Uint32Array, (chunk, row) => chunk.place(row, board));
  }

  /** Each operator's rank; 0 while unranked. */
  ranks(window: WindowName, metric: MetricName): Uint32Array {
    const board = boardAt(window, metric);
    return this.#column(Uint32Array, (chunk, row) => chunk.rank(row, board));
  }

  /** 1 for each operator with tokens in a window. */
  tokens(window: WindowName): Uint8Array {
    const board = boardAt(window, 'yield');
    return this.#column(Uint8Array, (chunk, row) => (chunk.hasTokens(row, board) ? 1 : 0));
  }

  #column<Column extends Uint8Array | Uint32Array>(
    Column: new (length: number) => Column,
    read: (chunk: DayPlaces, row: number) => number,
  ): Column {
    return this.#fill(new Column(this.operators.length), read);
  }

  #fill<Column extends Uint8Array | Uint32Array>(
    column: Column,
    read: (chunk: DayPlaces, row: number) => number,
  ): Column {
    let at = 0;
    for (const chunk of this.#chunks) {
      for (let row = 0; row < chunk.operators.length; row += 1, at += 1) {
        column[at] = read(chunk, row);
      }
    }
    return column;
  }
}
