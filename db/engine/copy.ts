/** Complete copies of a database file. */
import Database from 'better-sqlite3';
import { StoreError } from './store-error.ts';

/** How long a change of the journal mode waits for other programs to close the file, in milliseconds. */
const CLOSING_TIMEOUT_MS = 2_000;

export function bytesOf(path: string): number {
  return reading(path, (db) => {
    const pages = db.pragma('page_count', { simple: true }) as number;
    return pages * (db.pragma('page_size', { simple: true }) as number);
  });
}

/**
 * Writes a database, as it is at one moment, into an empty file. Uses one read transaction, so others can continue to
 * write. Everything is written again, so the copy contains nothing that was deleted. It is a single file without a
 * write-ahead log, and may still have to be synced.
 */
export function copyDatabase(path: string, empty: string): void {
  reading(path, (db) => db.prepare('VACUUM INTO ?').run(empty));
}

/**
 * Makes a database a single file again, by moving its write-ahead log into it.
 *
 * @throws {StoreError} `in_use` if another process has it open.
 */
export function foldDatabase(path: string): void {
  const db = new Database(path, { fileMustExist: true, timeout: CLOSING_TIMEOUT_MS });
  try {
    db.pragma('synchronous = FULL');
    db.pragma('journal_mode = DELETE');
  } catch (error) {
    if ((error as { code?: string }).code?.startsWith('SQLITE_BUSY')) throw inUse(path);
    throw error;
  } finally {
    db.close();
  }
}

function inUse(path: string): StoreError {
  return new StoreError(
    'in_use',
    `Another program, such as another opbench-board, has ${path} open. Stop it and try again`,
  );
}

function reading<Result>(path: string, work: (db: Database.Database) => Result): Result {
  const db = openReadOnly(path);
  try {
    return work(db);
  } finally {
    db.close();
  }
}

const TIMEOUT_MS = 5_000;

/** Opens an existing database read-only. It may belong to another version, or not be a board's. */
export function openReadOnly(path: string): Database.Database {
  return new Database(path, { readonly: true, fileMustExist: true, timeout: TIMEOUT_MS });
}
