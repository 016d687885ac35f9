/** The changes between two publications, which are computed again when they are read. */
import { advance } from '../project/advance.ts';
import type { Projected } from '../project/read-changes.ts';
import { bytesBetween, resizedColumn, numberBlocksUpTo, textBlocksUpTo } from '../state/blocks.ts';
import { fill, type Meta, metaOf } from './image.ts';
import { type SectionReader, SectionWriter, type Writable } from './sections.ts';

const COLUMNS = ['ids', 'names', 'sheets', 'facts'] as const;

interface Slots {
  /** How many slots there are. */
  length: number;
  /** Those that changed, and their values. */
  changed: Uint32Array;
  columns: Record<(typeof COLUMNS)[number], Uint32Array>;
}

/**
 * Returns the number of bytes.
 *
 * @param before The publication before, which is stored.
 */
export function writeChanges(
  store: Writable,
  id: number,
  { before, projected }: { before: Projected; projected: Projected },
): number {
  const { state, nextNumber, nextText } = projected;
  const writer = new SectionWriter(store, id);
  writer.add('meta', metaOf(projected));
  writer.add('slots', slotsOf(before, projected));
  writer.addBytes('numbers', bytesBetween(state.numbers, before.nextNumber, nextNumber));
  writer.addBytes('texts', bytesBetween(state.texts, before.nextText, nextText));
  return writer.bytes;
}

function slotsOf({ state: { operators: before } }: Projected, { state }: Projected): Slots {
  const { operators } = state;
  const { length } = operators.ids;
  const changed = Uint32Array.from({ length }, (_, slot) => slot).filter((slot) =>
    COLUMNS.some((name) => operators[name][slot] !== before[name][slot]),
  );
  const columns = COLUMNS.map((name) => [name, changed.map((slot) => operators[name][slot] ?? 0)]);
  return { length, changed, columns: Object.fromEntries(columns) as Slots['columns'] };
}

/** @throws {Error} if it cannot be read. */
export function readChanges(sections: SectionReader, before: Projected): Projected {
  const { state, ...meta } = sections.readValue('meta') as Omit<Meta, 'boards'>;
  const { length, changed, columns } = sections.readValue('slots') as Slots;
  const numbers = numberBlocksUpTo(before.state.numbers, meta.nextNumber);
  fill(bytesBetween(numbers, before.nextNumber, meta.nextNumber), sections.readBytes('numbers'));
  const texts = textBlocksUpTo(before.state.texts, meta.nextText);
  fill(bytesBetween(texts, before.nextText, meta.nextText), sections.readBytes('texts'));
  const grown = COLUMNS.map((name) => {
    const column = resizedColumn(before.state.operators[name], length);
    changed.forEach((slot, at) => {
      column[slot] = columns[name][at] as number;
    });
    return [name, column];
  });
  const operators = Object.fromEntries(grown) as Slots['columns'] & Projected['state']['operators'];
  const draft = { ...state, numbers, texts, operators, changed };
  return { ...meta, state: { ...state, numbers, texts, ...advance(before.state, draft) } };
}
