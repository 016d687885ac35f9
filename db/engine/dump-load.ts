import { createHash } from 'node:crypto';
import Database from 'better-sqlite3';
import {
  type EndLine,
  type TableLine,
  type Value,
  WHOLE_BOARD_TYPE,
  type WholeBoardHeader,
  damaged,
  readRow,
  tablesOf,
} from './dump-text.ts';
import { appliedTo, differenceOf, migrate } from './migrate.ts';
import { StoreError } from './store-error.ts';

export interface LoadOptions {
  /** The file that is made; nothing may stand there. */
  path: string;
  /** The folder of the `.sql` files. */
  migrations: string;
  now: () => Date;
}

/**
 * Makes a database from the text of a whole board, line by line, with the schema that the text was written with, and
 * brings it to this program's version. It is no board before {@linkcode finish} returns: until then nothing protects
 * the file from a crash, so it must have another name than a board's.
 */
export class BoardLoad {
  readonly #db: Database.Database;
  readonly #options: LoadOptions;
  readonly #hash = createHash('sha256');
  #header: WholeBoardHeader | null = null;
  #tables = new Map<string, readonly string[]>();
  #filled = new Set<string>();
  #columns = 0;
  #insert: Database.Statement<Value[]> | null = null;
  #table = '';
  #rows = 0;
  #lines = 0;
  #isEnded = false;

  constructor(options: LoadOptions) {
    this.#options = options;
    this.#db = new Database(options.path);
    this.#db.pragma('journal_mode = OFF');
    this.#db.pragma('synchronous = OFF');
    this.#db.pragma('secure_delete = ON');
    this.#db.pragma('trusted_schema = OFF');
  }

  /**
   * Takes the next line, without its line feed.
   *
   * @throws {StoreError} `damaged` if it cannot stand there, `newer` if this program does not know its tables.
   */
  add(text: string): void {
    this.#lines += 1;
    if (this.#isEnded) {
      throw damaged(`line ${this.#lines} stands behind its end; it may be two files in one`);
    }
    const line = this.#read(text);
    if (!this.#header) this.#begin(line as Partial<WholeBoardHeader>);
    else if (Array.isArray(line)) this.#addRow(line);
    else if ('table' in line) this.#openTable(line as TableLine);
    else if ('end' in line) this.#end(line as EndLine);
    else throw this.#damagedHere('is no line of a whole board');
    this.#hash.update(`${text}\n`);
  }

  /**
   * Makes what was read a board's database.
   *
   * @throws {StoreError} `damaged` if the text was cut off, or its rows do not belong together.
   */
  finish(): WholeBoardHeader {
    const header = this.#header;
    if (!header || !this.#isEnded) {
      throw damaged(`it ends after line ${this.#lines} and before its end. Copy it again`);
    }
    const dangling = this.#db.pragma('foreign_key_check') as { table: string }[];
    if (dangling[0]) throw damaged(`rows of ${dangling[0].table} refer to rows that are not there`);
    migrate(this.#db, this.#options.migrations, this.#options.now);
    return header;
  }

  close(): void {
    this.#db.close();
  }

  #read(text: string): object {
    let line: unknown = null;
    try {
      line = JSON.parse(text);
    } catch {
      // As what is no object.
    }
    if (typeof line === 'object' && line !== null) return line;
    if (!this.#header) throw other(`holds no whole board. ${EXPORT_IT}`);
    throw this.#damagedHere('cannot be read');
  }

  #begin(header: Partial<WholeBoardHeader>): void {
    refuseOther(header);
    const { migrations } = header;
    if (!isNames(migrations)) throw this.#damagedHere('names no migrations');
    const db = this.#db;
    const { lacking: known } = differenceOf(db, this.#options.migrations);
    if (migrations.some((name) => !known.includes(name))) throw newer(header.program);
    if (migrations.join() !== known.slice(0, migrations.length).join()) {
      throw this.#damagedHere('names the migrations of no version');
    }
    migrate(db, this.#options.migrations, this.#options.now, migrations);
    db.pragma('foreign_keys = OFF');
    this.#tables = emptied(db);
    this.#header = header as WholeBoardHeader;
    db.exec('BEGIN');
  }

  #openTable({ table, columns }: TableLine): void {
    const own = this.#tables.get(table);
    if (!own) throw this.#damagedHere(`names a table that a board of its version does not have`);
    if (this.#filled.has(table)) throw this.#damagedHere(`begins the table ${table} again`);
    if (!isNames(columns) || columns.join('\n') !== own.join('\n')) {
      throw this.#damagedHere(`gives ${table} other columns than a board of its version has`);
    }
    this.#filled.add(table);
    const places = own.map(() => '?').join(', ');
    this.#table = table;
    this.#columns = own.length;
    if (table === 'sqlite_sequence') this.#db.exec('DELETE FROM sqlite_sequence');
    this.#insert = this.#db.prepare(`INSERT INTO "${table}" VALUES (${places})`);
  }

  #addRow(row: unknown[]): void {
    if (!this.#insert) throw this.#damagedHere('is a row of no table');
    const values = this.#inLine(() => readRow(row, this.#columns));
    try {
      this.#insert.run(...values);
    } catch (error) {
      const { code = '', message } = error as { code?: string; message: string };
      if (!code.startsWith('SQLITE_CONSTRAINT')) throw error;
      throw this.#damagedHere(`holds a row that ${this.#table} cannot have (${message})`);
    }
    this.#rows += 1;
  }

  #end({ end }: EndLine): void {
    const missing = [...this.#tables.keys()].filter((name) => !this.#filled.has(name));
    if (missing[0] !== undefined) throw damaged(`it has no table ${missing[0]}`);
    if (end?.sha256 !== this.#hash.copy().digest('hex')) {
      throw damaged('what it holds is not what was written. Copy it again');
    }
    if (end.rows !== this.#rows || end.tables !== this.#filled.size) {
      throw damaged('it has another number of rows than it says');
    }
    if (appliedTo(this.#db).join('\n') !== this.#header?.migrations.join('\n')) {
      throw damaged('its rows of migrations are others than its first line names');
    }
    this.#db.exec('COMMIT');
    this.#isEnded = true;
  }

  #inLine<Result>(read: () => Result): Result {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      throw new StoreError(error.refusal, `${error.message} (line ${this.#lines})`);
    }
  }

  #damagedHere(what: string): StoreError {
    return damaged(`line ${this.#lines} ${what}`);
  }
}

/** Empties all tables of what migrations put there; returns their columns. */
function emptied(db: Database.Database): Map<string, readonly string[]> {
  return new Map(
    tablesOf(db).map((name) => {
      db.exec(`DELETE FROM "${name}"`);
      const columns = db.prepare(`SELECT * FROM "${name}"`).columns();
      return [name, columns.map((column) => column.name)] as const;
    }),
  );
}

/** @throws {StoreError} `wrong_kind` if the first line is of another file than a whole board. */
function refuseOther(first: Partial<Record<string, unknown>>): void {
  if (first['type'] === WHOLE_BOARD_TYPE) return;
  const kind = String(first['type']);
  if (/^opbench-board\/\d+$/.test(kind)) throw newer(first['program']);
  if (first['line'] === 'header' && kind.startsWith('opbench-log/')) {
    throw other(`is a public log, which holds no accounts. ${EXPORT_IT}`);
  }
  if ('account' in first && 'profile' in first) {
    throw other(`holds one account, and people never move alone. ${EXPORT_IT}`);
  }
  throw other(`holds no whole board. ${EXPORT_IT}`);
}

const EXPORT_IT =
  'Where the board runs, write a file that holds it whole: opbench-board export --whole FILE';

function other(what: string): StoreError {
  return new StoreError('wrong_kind', `The file ${what}`);
}

function newer(program: unknown): StoreError {
  const version = /^[\w.+-]{1,40}$/.test(String(program)) ? ` (${String(program)})` : '';
  return new StoreError(
    'newer',
    `A newer version of Opbench${version} wrote the file, and this one does not know all that it holds. Import it with that version, or a later one`,
  );
}

function isNames(names: unknown): names is string[] {
  return Array.isArray(names) && names.every((name) => typeof name === 'string');
}
