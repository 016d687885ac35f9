/** Reads logs in SQLite databases: each row is passed to a reader as one line. */
// Not a named import, because `zstdDecompressSync` is missing in older versions of Node.js.
import zlib from 'node:zlib';
import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import type {
  ColumnTable,
  DataTable,
  FileReader,
  LogTable,
  Reader,
} from '#core/readers/shared/reader.ts';

type Sqlite = Pick<typeof import('node:sqlite'), 'DatabaseSync'>;

/** The largest row that is read (8 MiB), and the longest ID. */
const MAX_ROW_BYTES = 8 << 20;
const MAX_ID_BYTES = 1024;

const LOCKED_MS = 500;

/**
 * Feeds the current content of a database to a reader. Writes nothing and does not block writers.
 *
 * @param sqlite The SQLite module; null if the runtime has none.
 * @throws {Error} if the database cannot be read, or has none of the reader's tables.
 */
export function feedDatabase(
  path: string,
  { tables = [], needles }: Reader,
  file: FileReader,
  sqlite: Sqlite | null = loadSqlite(),
): void {
  if (sqlite === null) throw new Error('Reading a database needs Node.js 22.13 or later');
  const database = openDatabase(sqlite, path);
  try {
    // One transaction, so that rows which are moved between tables are seen exactly once.
    database.exec('BEGIN');
    const present = tables.filter(({ name }) => isThere(database, name));
    if (present.length === 0) {
      throw new Error(`It has no table ${tables.map(({ name }) => name).join(' or ')}`);
    }
    for (const table of present) {
      for (const line of linesOf(database, table, needles)) file.line(line);
    }
  } finally {
    database.close();
  }
}

/** The lines of a table's rows. Those of values are always relevant. */
function* linesOf(
  database: DatabaseSync,
  table: LogTable,
  needles: readonly string[],
): Generator<string> {
  if ('columns' in table) {
    yield* columnLines(database, table);
    return;
  }
  for (const line of dataLines(database, table)) {
    // Lines that cannot be searched must be counted as skipped.
    const isNoJson = line === TOO_LONG || line === NO_TEXT;
    if (isNoJson || needles.some((needle) => line.includes(needle))) yield line;
  }
}

/** The runtime's SQLite module, without the warning that it is experimental. */
function loadSqlite(): Sqlite | null {
  const { emitWarning } = process;
  process.emitWarning = () => undefined;
  try {
    return process.getBuiltinModule?.('node:sqlite') ?? null;
  } finally {
    process.emitWarning = emitWarning;
  }
}

/**
 * To read a database in WAL mode that no one has open, SQLite would create two files next to it and leave them there,
 * unless it is opened as immutable.
 */
function openDatabase({ DatabaseSync }: Sqlite, path: string): DatabaseSync {
  const options = { readOnly: true, timeout: LOCKED_MS };
  if (existsSync(`${path}-wal`) || !isInWalMode(path)) return new DatabaseSync(path, options);
  try {
    return new DatabaseSync(`${pathToFileURL(path).href}?immutable=1`, options);
  } catch {
    // Before Node.js 22.15, a URL is treated as a file name.
    return new DatabaseSync(path, options);
  }
}

/** The offset of the format version in a database header. Version 2 is WAL mode. */
const VERSION_AT = 18;
const WAL_VERSION = 2;

function isInWalMode(path: string): boolean {
  const file = openSync(path, 'r');
  try {
    const version = new Uint8Array(1);
    return readSync(file, version, 0, 1, VERSION_AT) === 1 && version[0] === WAL_VERSION;
  } finally {
    closeSync(file);
  }
}

function isThere(database: DatabaseSync, name: string): boolean {
  const query = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?";
  return database.prepare(query).get(name) !== undefined;
}

/** Passed to readers instead of a row. An empty text is a line that is too long. */
const TOO_LONG = '';
const NO_TEXT = 'no text';

/** The rows as lines. Rows without data are skipped. */
function* dataLines(
  database: DatabaseSync,
  { name, id, data, members = [], packed = '' }: DataTable,
): Generator<string> {
  const added = [id, ...members];
  const known = columnsOf(database, name);
  const texts = known.has(packed.toLowerCase()) ? [data, packed] : [data];
  requireColumns(name, known, [...added, ...texts]);
  // Lengths are checked first, so that only acceptable values are loaded.
  const short = added.map(
    (column, at) =>
      `CASE WHEN octet_length([${column}]) <= ${MAX_ID_BYTES} THEN ${valueOf(column)} END AS value${at}`,
  );
  const isLong = `${texts.map(lengthOf).join(' + ')} > ${MAX_ROW_BYTES}`;
  const values = texts.map(
    (column, at) => `CASE WHEN NOT ${isLong} THEN [${column}] END AS text${at}`,
  );
  const query = `SELECT ${isLong} AS is_long, ${[...short, ...values].join(', ')} FROM [${name}]`;
  const names = ['id', ...members];
  for (const row of database.prepare(query).iterate()) {
    const line = row.is_long === 1 ? TOO_LONG : (row.text0 ?? unpacked(row.text1 ?? null));
    if (line === null) continue;
    const own = names.map((member, at) => [member, row[`value${at}`]] as const);
    yield typeof line === 'string' ? withMembers(line, own) : NO_TEXT;
  }
}

function lengthOf(column: string): string {
  return `ifnull(octet_length([${column}]), 0)`;
}

/**
 * The text in compressed data; null without data.
 *
 * @throws {Error} if the runtime cannot decompress it.
 */
function unpacked(data: unknown): string | null {
  if (data === null) return null;
  if (!(data instanceof Uint8Array)) return NO_TEXT;
  if (!zlib.zstdDecompressSync) throw new Error('Reading it needs Node.js 22.15 or later');
  try {
    return zlib.zstdDecompressSync(data, { maxOutputLength: MAX_ROW_BYTES }).toString();
  } catch (error) {
    return error instanceof RangeError ? TOO_LONG : NO_TEXT;
  }
}

/** The rows as JSON objects of their columns. */
function* columnLines(
  database: DatabaseSync,
  { name, columns, optional = [] }: ColumnTable,
): Generator<string> {
  const known = columnsOf(database, name);
  const names = [...columns, ...optional.filter((column) => known.has(column.toLowerCase()))];
  requireColumns(name, known, names);
  const length = names.map(lengthOf).join(' + ');
  const values = names.map((column) => `CASE WHEN fits THEN ${valueOf(column)} END AS [${column}]`);
  const query = `SELECT ${[...values, 'fits AS "row fits"'].join(', ')}
    FROM (SELECT [${names.join('], [')}], ${length} <= ${MAX_ROW_BYTES} AS fits FROM [${name}])`;
  for (const { 'row fits': fits, ...row } of database.prepare(query).iterate()) {
    yield fits === 1 ? JSON.stringify({ table: name, ...row }) : TOO_LONG;
  }
}

/** A value as JSON can have it: numbers that are not exact as text, and bytes as hexadecimal digits. */
function valueOf(column: string): string {
  const most = Number.MAX_SAFE_INTEGER;
  return `CASE WHEN typeof([${column}]) = 'blob' THEN lower(hex([${column}]))
    WHEN typeof([${column}]) = 'text' OR [${column}] BETWEEN ${-most} AND ${most} THEN [${column}]
    ELSE CAST([${column}] AS TEXT) END`;
}

interface Column {
  name: string;
  isComputed: boolean;
}

/** The columns of a table by name in lower case. */
function columnsOf(database: DatabaseSync, table: string): Map<string, Column> {
  const rows = database.prepare('SELECT name, hidden FROM pragma_table_xinfo(?)').all(table);
  const columns = rows.map(({ name, hidden }) => ({
    name: String(name),
    isComputed: hidden !== 0,
  }));
  return new Map(columns.map((column) => [column.name.toLowerCase(), column]));
}

/**
 * Computed columns are rejected, because their length would be known only after computing the value. No tool uses them.
 *
 * @throws {Error} if a column is missing or computed.
 */
function requireColumns(table: string, known: Map<string, Column>, names: readonly string[]) {
  for (const name of names) {
    const column = known.get(name.toLowerCase());
    if (column === undefined) throw new Error(`Its table ${table} has no such column: ${name}`);
    if (column.isComputed) throw new Error(`Its column ${column.name} is computed`);
  }
}

/** Adds members at the beginning of the row's object, so that existing ones override them. */
function withMembers(data: string, members: readonly (readonly [string, unknown])[]): string {
  const own = data.trim();
  const added = members
    .filter(([, value]) => typeof value === 'string' || typeof value === 'number')
    .map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`);
  if (!own.startsWith('{') || added.length === 0) return data;
  const comma = /^\{\s*\}$/.test(own) ? '' : ',';
  return `{${added.join(',')}${comma}${own.slice(1)}`;
}
