import Database from 'better-sqlite3';

/** How long a question waits for another process, in milliseconds. */
const TIMEOUT_MS = 5_000;

/** Opens a database that is there, and may be another version's or no board's, only to be read. */
export function openReadOnly(path: string): Database.Database {
  return new Database(path, { readonly: true, fileMustExist: true, timeout: TIMEOUT_MS });
}
