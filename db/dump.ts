import { createHash } from 'node:crypto';
import type { Database } from 'better-sqlite3';
import {
  type Value,
  WHOLE_BOARD_TYPE,
  type WholeBoardHeader,
  rowText,
  tablesOf,
} from './dump-text.ts';
import { type LogHead, openToRead } from './inspection.ts';

/** What the database does not know of itself. */
export type DumpNote = Pick<WholeBoardHeader, 'base_url' | 'program' | 'written_at'>;

export interface Dump {
  head: LogHead | null;
  operators: number;
  /** The lines, made as they are asked for. */
  lines: Generator<string>;
  close(): void;
}

/**
 * A whole board as text, at one moment: every row of every table, whatever version made them. A server may go on
 * writing meanwhile.
 *
 * @throws {StoreError} `missing`, or `damaged` if it cannot be read as a board's database.
 */
export function dumpDatabase(path: string, note: DumpNote): Dump {
  const db = openToRead(path);
  const head = db
    .prepare('SELECT log_index, entry_hash FROM log_entries ORDER BY log_index DESC LIMIT 1')
    .get() as LogHead | undefined;
  const operators = db.prepare('SELECT count(*) FROM operators').pluck().get() as number;
  return {
    head: head ?? null,
    operators,
    lines: summed(db, note, head),
    close: () => void db.close(),
  };
}

/** All lines with their line feeds, and the end that sums them up. */
function* summed(db: Database, note: DumpNote, head: LogHead | undefined): Generator<string> {
  const hash = createHash('sha256');
  const tables = tablesOf(db);
  let rows = 0;
  for (const line of linesOf(db, tables, headerOf(db, note, head))) {
    if (line.startsWith('[')) rows += 1;
    const text = `${line}\n`;
    hash.update(text);
    yield text;
  }
  const end = { rows, tables: tables.length, sha256: hash.digest('hex') };
  yield `${JSON.stringify({ end })}\n`;
}

function* linesOf(
  db: Database,
  tables: readonly string[],
  header: WholeBoardHeader,
): Generator<string> {
  yield JSON.stringify(header);
  for (const table of tables) {
    const rows = db.prepare(`SELECT * FROM "${table}"`).safeIntegers().raw();
    yield JSON.stringify({ table, columns: rows.columns().map(({ name }) => name) });
    for (const row of rows.iterate()) yield rowText(row as Value[]);
  }
}

function headerOf(db: Database, note: DumpNote, head: LogHead | undefined): WholeBoardHeader {
  const names = db.prepare('SELECT name FROM migrations ORDER BY name').pluck().all() as string[];
  return {
    type: WHOLE_BOARD_TYPE,
    program: note.program,
    base_url: note.base_url,
    written_at: note.written_at,
    migrations: names,
    log_index: head?.log_index ?? null,
    entry_hash: head?.entry_hash ?? null,
  };
}
