/** An image of a projection, from which another process can continue. */
import { METRIC_NAMES } from '#core/domain/metrics/metrics.ts';
import type { MetricName } from '#core/schema/record.ts';
import type { Projected } from '../project/read-changes.ts';
import {
  bytesBetween,
  numberBlocksUpTo,
  sharedColumn,
  type SlotColumn,
  textBlocksUpTo,
} from '../state/blocks.ts';
import type { BoardOrders, BoardState, MetricOrder, OperatorSlots } from '../state/board-state.ts';
import { type SectionReader, SectionWriter, type Writable } from './sections.ts';

/** Everything that is not in shared memory. */
export interface Meta extends Omit<Projected, 'state'> {
  state: Omit<BoardState, 'boards' | 'numbers' | 'operators' | 'texts'>;
  boards: Omit<BoardOrders, 'orders'>[];
}

export function metaOf({ state, ...projected }: Projected): Meta {
  const none = { boards: undefined, numbers: undefined, operators: undefined, texts: undefined };
  return {
    ...projected,
    state: { ...state, ...none },
    boards: state.boards.map(({ window, slice, rowsSum, version }) => {
      return { window, slice, rowsSum, version };
    }),
  };
}

const COLUMNS = ['ids', 'names', 'sheets', 'facts', 'byName'] as const;
const PARTS = ['ranked', 'byLowest', 'byHighest', 'byValue', 'unranked'] as const;

/** Returns the number of bytes. */
export function writeImage(store: Writable, id: number, projected: Projected): number {
  const { state, nextNumber, nextText } = projected;
  const writer = new SectionWriter(store, id);
  writer.add('meta', metaOf(projected));
  for (const name of COLUMNS) writer.addBytes(name, [state.operators[name]]);
  for (const [index, piece] of bytesBetween(state.numbers, 0, nextNumber).entries()) {
    writer.addBytes(`numbers ${index}`, [piece]);
  }
  writer.addBytes('texts', bytesBetween(state.texts, 0, nextText));
  state.boards.forEach(({ orders }, index) => {
    const columns = METRIC_NAMES.flatMap((metric) => PARTS.map((part) => orders[metric][part]));
    const lengths = Uint32Array.from(columns, ({ length }) => length);
    writer.addBytes(`orders ${index}`, [lengths, ...columns]);
  });
  return writer.bytes;
}

/** @throws {Error} if it cannot be read. */
export function readImage(sections: SectionReader): Projected {
  const { boards, state, ...meta } = sections.readValue('meta') as Meta;
  const numbers = numberBlocksUpTo([], meta.nextNumber);
  bytesBetween(numbers, 0, meta.nextNumber).forEach((piece, index) => {
    piece.set(sections.readBytes(`numbers ${index}`));
  });
  const texts = textBlocksUpTo([], meta.nextText);
  fill(bytesBetween(texts, 0, meta.nextText), sections.readBytes('texts'));
  const columns = COLUMNS.map((name) => [name, columnFrom(sections.readBytes(name))]);
  return {
    ...meta,
    state: {
      ...state,
      numbers,
      texts,
      operators: Object.fromEntries(columns) as OperatorSlots,
      boards: boards.map((board, index) => {
        return { ...board, orders: ordersFrom(sections.readBytes(`orders ${index}`)) };
      }),
    },
  };
}

/** Copies bytes to consecutive pieces. */
export function fill(pieces: readonly Uint8Array[], bytes: Uint8Array): void {
  let from = 0;
  for (const piece of pieces) {
    piece.set(bytes.subarray(from, from + piece.length));
    from += piece.length;
  }
}

function columnFrom(bytes: Uint8Array): SlotColumn {
  const column = sharedColumn(bytes.length / Uint32Array.BYTES_PER_ELEMENT);
  new Uint8Array(column.buffer).set(bytes);
  return column;
}

function ordersFrom(bytes: Uint8Array): Record<MetricName, MetricOrder> {
  const all = columnFrom(bytes);
  let next = METRIC_NAMES.length * PARTS.length;
  const orders = METRIC_NAMES.map((metric, index) => {
    const columns = PARTS.map((part, at) => {
      const length = all[index * PARTS.length + at] as number;
      const column = sharedColumn(length);
      column.set(all.subarray(next, next + length));
      next += length;
      return [part, column];
    });
    return [metric, Object.fromEntries(columns)];
  });
  return Object.fromEntries(orders) as Record<MetricName, MetricOrder>;
}
