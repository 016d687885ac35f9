/**
 * Lists as tables: derives the columns from the schema of a row.
 *
 * @module
 */
import * as z from 'zod';
import type { Route } from './route.ts';

export const CSV_MEDIA_TYPE = 'text/csv';

/** The value of a cell; null if the value is null or absent. */
export type Cell = boolean | number | string | null;

/** A column: its name, and the keys that lead to its values. */
interface Column {
  name: string;
  path: readonly string[];
  /** Whether each value is a pair. */
  isPair: boolean;
}

/** A table: the names of its columns, and its rows. */
interface Sheet {
  columns: readonly string[];
  rows: readonly (readonly Cell[])[];
}

/**
 * Returns a response as a table.
 *
 * A list of plain values becomes one text separated by `;`. A list of objects, or of texts that contain `;`, becomes
 * JSON. Both bounds of intervals and rank ranges also get their own columns, after all others.
 */
export function sheetOf({ row, rows }: NonNullable<Route['table']>, reply: unknown): Sheet {
  const own = columnsOf(row, []);
  const columns = [...own, ...own.flatMap(endsOf)];
  return {
    columns: columns.map(({ name }) => name),
    rows: rows(reply).map((entry) => columns.map(({ path }) => cellOf(valueAt(entry, path)))),
  };
}

function columnsOf(schema: z.ZodObject, above: readonly string[]): Column[] {
  return Object.entries(schema.shape).flatMap(([key, member]) => {
    const path = [...above, key];
    const plain = unwrapped(member as z.ZodType);
    if (plain instanceof z.ZodObject) return columnsOf(plain, path);
    return [{ name: path.join('.'), path, isPair: plain instanceof z.ZodTuple }];
  });
}

/** Names of the extra columns for pairs, by the name of the column. */
const ENDS = new Map([
  ['interval', ['interval_low', 'interval_high']],
  ['rank_range', ['rank_best', 'rank_worst']],
]);

function endsOf({ path, isPair }: Column): Column[] {
  const ends = isPair ? ENDS.get(path.at(-1) ?? '') : undefined;
  return (ends ?? []).map((end, at) => ({
    name: [...path.slice(0, -1), end].join('.'),
    path: [...path, String(at)],
    isPair: false,
  }));
}

/** Removes the wrappers for nullable and optional. */
function unwrapped(schema: z.ZodType): z.ZodType {
  const isWrapper = schema instanceof z.ZodNullable || schema instanceof z.ZodOptional;
  return isWrapper ? unwrapped(schema.unwrap() as z.ZodType) : schema;
}

function valueAt(entry: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, key) => (isRecord(value) ? value[key] : null), entry);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function cellOf(value: unknown): Cell {
  if (value === null || value === undefined) return null;
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  if (typeof value === 'string') return value;
  const isList = Array.isArray(value) && !value.some((item) => isRecord(item) || holdsMark(item));
  return isList ? value.join(';') : JSON.stringify(value);
}

function holdsMark(item: unknown): boolean {
  return typeof item === 'string' && item.includes(';');
}
