/** Reads logs in SQLite databases: each row is passed to a reader as one line. */
import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import type { FileReader, LogTable, Reader } from '#core/readers/shared/reader.ts';

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
      for (const line of linesOf(database, table)) {
        // Lines that cannot be searched must be counted as skipped.
        if (line === TOO_LONG || line === NO_TEXT) file.line(line);
        else if (needles.some((needle) => line.includes(needle))) file.line(line);
      }
    }
  } finally {
    database.close();
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
function* linesOf(database: DatabaseSync, { name, id, data }: LogTable): Generator<string> {
  refuseComputed(database, { name, id, data });
  // Lengths are checked first, so that only acceptable values are loaded.
  const query = `SELECT octet_length([${data}]) > ${MAX_ROW_BYTES} AS is_long,
    CASE WHEN octet_length([${id}]) <= ${MAX_ID_BYTES} THEN [${id}] END AS id,
    CASE WHEN octet_length([${data}]) <= ${MAX_ROW_BYTES} THEN [${data}] END AS data
    FROM [${name}]`;
  for (const row of database.prepare(query).iterate()) {
    if (row.is_long === 1) yield TOO_LONG;
    else if (typeof row.data === 'string') yield withId(row.data, row.id);
    else if (row.data !== null) yield NO_TEXT;
  }
}

/**
 * Rejects computed columns, whose length would be known only after computing the value. No tool uses them.
 *
 * @throws {Error} if a column is computed.
 */
function refuseComputed(database: DatabaseSync, { name, id, data }: LogTable): void {
  const columns = database.prepare('SELECT name, hidden FROM pragma_table_xinfo(?)').all(name);
  const computed = columns.find((column) => {
    return column.hidden !== 0 && [id, data].includes(String(column.name).toLowerCase());
  });
  if (computed) throw new Error(`Its column ${String(computed.name)} is computed`);
}

/** Adds the ID as the first member of the row's object, so that an existing member `id` overrides it. */
function withId(data: string, id: unknown): string {
  const members = data.trim();
  if (!members.startsWith('{') || (typeof id !== 'string' && typeof id !== 'number')) return data;
  const comma = /^\{\s*\}$/.test(members) ? '' : ',';
  return `{"id":${JSON.stringify(id)}${comma}${members.slice(1)}`;
}
