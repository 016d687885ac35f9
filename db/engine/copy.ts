/** Whole copies of a board's file. */
import Database from 'better-sqlite3';
import { StoreError } from './store-error.ts';

/** How long a change of the file's form waits for others to close it, in milliseconds. */
const CLOSING_TIMEOUT_MS = 2_000;

export function bytesOf(path: string): number {
  return reading(path, (db) => {
    const pages = db.pragma('page_count', { simple: true }) as number;
    return pages * (db.pragma('page_size', { simple: true }) as number);
  });
}

/**
 * Writes a database, as it is at one moment, into an empty file. It is one read transaction, so others go on
 * writing; and everything is written anew, so nothing that was deleted is left in free parts of the copy.
 * The copy may still have to be synced. It is one file on its own, without a write-ahead log.
 */
export function copyDatabase(path: string, empty: string): void {
  reading(path, (db) => db.prepare('VACUUM INTO ?').run(empty));
}

/**
 * Makes a database one file on its own again: what its write-ahead log holds goes into it, and that log is gone.
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
    `Another program has ${path} open. End it, such as another opbench-board, and try again`,
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

/** Opens a database that is there, and may be another version's or no board's, only to be read. */
export function openReadOnly(path: string): Database.Database {
  return new Database(path, { readonly: true, fileMustExist: true, timeout: TIMEOUT_MS });
}
