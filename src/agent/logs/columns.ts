/**
 * What logs say, as columns: of thousands of objects with the same members the names are written
 * once, which makes the text half as long and the reading of it twice as fast.
 *
 * @module
 */
import type { FileUsage } from '#core/readers/reader.ts';

type Row = Readonly<Record<string, unknown>>;

/** A list of rows: their number, and the values of each member. */
interface Columns {
  rows: number;
  columns: Record<string, unknown[]>;
}

/** A usage as plain JSON in which lists of like objects are columns. */
export type Packed = Readonly<Record<string, unknown>>;

export function pack(usage: FileUsage): Packed {
  const members = Object.entries(usage).map(([name, value]) => [name, packList(value)]);
  return Object.fromEntries(members) as Packed;
}

export function unpack(packed: Packed): FileUsage {
  const members = Object.entries(packed).map(([name, value]) => {
    return [name, isColumns(value) ? rowsOf(value) : value];
  });
  return Object.fromEntries(members) as FileUsage;
}

function packList(list: unknown): unknown {
  if (!Array.isArray(list) || !list.every(isRow)) return list;
  const names = Object.keys(list[0] ?? {});
  const isAlike = (row: Row) => {
    return names.every((name) => name in row) && Object.keys(row).length === names.length;
  };
  if (names.length === 0 || !list.every(isAlike)) return list;
  const columns = names.map((name) => [name, list.map((row) => row[name])]);
  return { rows: list.length, columns: Object.fromEntries(columns) } satisfies Columns;
}

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Only lists are packed, and no reader has a member of this form. */
function isColumns(value: unknown): value is Columns {
  return isRow(value) && typeof value.rows === 'number' && isRow(value.columns);
}

function rowsOf({ rows, columns }: Columns): Row[] {
  const blank = Object.fromEntries(Object.keys(columns).map((name) => [name, null]));
  const list = Array.from({ length: rows }, (): Record<string, unknown> => ({ ...blank }));
  for (const [name, values] of Object.entries(columns)) {
    for (const [index, row] of list.entries()) row[name] = values[index];
  }
  return list;
}
