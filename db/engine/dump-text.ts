/**
 * The text of a whole board: one line of JSON each for the header, for a table and its columns, for every row of it,
 * and for the end, which says how many rows there are and what all bytes before it hash to. Any later version reads
 * it, because the header names the migrations that made the tables.
 */
import type { Database } from 'better-sqlite3';
import { StoreError } from './store-error.ts';

export const WHOLE_BOARD_TYPE = 'opbench-board/1';

/** What a whole board's text begins with. */
export interface WholeBoardHeader {
  type: typeof WHOLE_BOARD_TYPE;
  /** The version of the program that wrote it. */
  program: string;
  /** The board's address when it was written. */
  base_url: string;
  written_at: string;
  migrations: string[];
  /** The last entry of its log; null for a board that never began. */
  log_index: number | null;
  entry_hash: string | null;
}

export interface TableLine {
  table: string;
  columns: string[];
}

export interface EndLine {
  end: { rows: number; tables: number; sha256: string };
}

/** A value as SQLite gives it: integers as bigint, all else as it is. */
export type Value = bigint | number | string | Uint8Array | null;

/** A row's line. */
export function rowText(row: readonly Value[]): string {
  return JSON.stringify(row.map(writtenValue));
}

/** Numbers stand for integers; what JSON has no exact form for stands in an object that names its kind. */
function writtenValue(value: Value): unknown {
  if (value === null || typeof value === 'string') return value;
  if (typeof value === 'bigint') {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : { integer: String(value) };
  }
  if (typeof value === 'number') return { real: Object.is(value, -0) ? '-0' : String(value) };
  return { blob: Buffer.from(value).toString('base64') };
}

/**
 * Reads a row's line.
 *
 * @throws {StoreError} `damaged` if it has other values, or not as many as columns.
 */
export function readRow(row: readonly unknown[], columns: number): Value[] {
  if (row.length !== columns) throw damaged(`a row has ${row.length} values and not ${columns}`);
  return row.map(readValue);
}

function readValue(written: unknown): Value {
  if (written === null || typeof written === 'string') return written;
  if (typeof written === 'number' && Number.isSafeInteger(written)) return BigInt(written);
  const value = readKind(written);
  if (value === undefined) throw damaged('a value is of no kind that a board has');
  return value;
}

/** What stands in an object that names its kind. */
function readKind(written: unknown): Value | undefined {
  if (typeof written !== 'object' || written === null) return undefined;
  const [[kind, text] = [], ...more] = Object.entries(written);
  if (kind === undefined || more.length > 0 || typeof text !== 'string') return undefined;
  return Object.hasOwn(KINDS, kind) ? KINDS[kind]?.(text) : undefined;
}

const KINDS: Readonly<Record<string, (text: string) => Value | undefined>> = {
  blob: (text) => {
    const bytes = Buffer.from(text, 'base64');
    return bytes.toString('base64') === text ? bytes : undefined;
  },
  integer: (text) => {
    const number = /^-?\d{16,19}$/.test(text) ? BigInt(text) : undefined;
    return number === undefined || BigInt.asIntN(64, number) !== number ? undefined : number;
  },
  real: (text) => {
    const number = Number(text);
    return text.trim() === '' || Number.isNaN(number) ? undefined : number;
  },
};

/** The tables of a board, without Litestream's own, and the one where SQLite keeps ids that are never given again. */
export function tablesOf(db: Database): string[] {
  const names = db.prepare(
    `SELECT name FROM sqlite_schema WHERE type = 'table'
     AND name NOT LIKE '\\_litestream\\_%' ESCAPE '\\'
     AND (name NOT LIKE 'sqlite\\_%' ESCAPE '\\' OR name = 'sqlite_sequence') ORDER BY name`,
  );
  return (names.pluck().all() as string[]).map((name) => name.replaceAll('"', '""'));
}

/** A text that is not what was written. */
export function damaged(what: string): StoreError {
  return new StoreError('damaged', `The file is damaged: ${what}`);
}
