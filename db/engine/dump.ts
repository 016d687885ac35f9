import { createHash } from 'node:crypto';
import type { Database } from 'better-sqlite3';
import {
  type Value,
  WHOLE_BOARD_TYPE,
  type WholeBoardHeader,
  rowText,
  tablesOf,
} from './dump-text.ts';
import { type LogHead, headIn, openToRead, operatorCountIn } from './inspection.ts';
import { appliedTo } from './migrate.ts';

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
 * @throws {StoreError} `missing`, `wrong_kind`, or `damaged` if it cannot be read as a board's database.
 */
export function dumpDatabase(path: string, note: DumpNote): Dump {
  const db = openToRead(path);
  const close = () => void db.close();
  try {
    const head = headIn(db);
    const operators = operatorCountIn(db);
    return { head, operators, lines: summed(db, note, head), close };
  } catch (error) {
    close();
    throw error;
  }
}

/** All lines with their line feeds, and the end that sums them up. */
function* summed(db: Database, note: DumpNote, head: LogHead | null): Generator<string> {
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

function headerOf(db: Database, note: DumpNote, head: LogHead | null): WholeBoardHeader {
  return {
    type: WHOLE_BOARD_TYPE,
    program: note.program,
    base_url: note.base_url,
    written_at: note.written_at,
    migrations: appliedTo(db),
    log_index: head?.log_index ?? null,
    entry_hash: head?.entry_hash ?? null,
  };
}
