import { chmodSync, closeSync, openSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { makeFolder } from './make-folder.ts';

/** A data folder that nobody else serves or replaces. */
export interface DataLock {
  release(): void;
}

/**
 * Takes the lock of a data folder, or returns null if another process has it. It is SQLite's own lock of
 * a file that holds nothing: the system releases it however the process ends, so it is never stale.
 * What only reads and writes the database beside a server needs no lock.
 */
export function lockData(folder: string): DataLock | null {
  makeFolder(folder, 0o700);
  const path = join(folder, 'server.lock');
  keepPrivate(path);
  const db = new Database(path, { timeout: 0 });
  try {
    db.exec('BEGIN EXCLUSIVE');
    return { release: () => void db.close() };
  } catch (error) {
    db.close();
    if ((error as { code?: unknown }).code === 'SQLITE_BUSY') return null;
    throw error;
  }
}

/**
 * Makes a file that nobody else may read: who can read it can lock it, too. One that is there is not opened, because
 * closing it again would release the lock that this process may have.
 */
function keepPrivate(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    if ((statSync(path).mode & 0o077) !== 0) chmodSync(path, 0o600);
  }
}
