import { chmodSync, closeSync, openSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { makeFolder } from './make-folder.ts';

/** The lock of a data folder. Its holder is the only one that serves or replaces the folder's board. */
export interface DataLock {
  release(): void;
}

/**
 * Takes the lock of a data folder. Returns null if another process has it. It is SQLite's lock of an empty file: the
 * system releases it however the process ends, so it is never stale. Programs that only read and write the database
 * next to a server need no lock.
 *
 * @param patienceMs How long to wait for a process that only checks whether the folder is locked.
 */
export function lockData(folder: string, patienceMs = 0): DataLock | null {
  makeFolder(folder, 0o700);
  const path = join(folder, 'server.lock');
  keepPrivate(path);
  const db = new Database(path, { timeout: patienceMs });
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
 * Whether a process has locked a data folder. Only reads, because root may look into a folder whose owner put links in
 * it. A server that starts meanwhile has to wait.
 */
export function isDataLocked(folder: string): boolean {
  let db: Database.Database | null = null;
  try {
    db = new Database(join(folder, 'server.lock'), { readonly: true, timeout: 0 });
    db.exec('SELECT 1 FROM sqlite_schema');
    return false;
  } catch (error) {
    return (error as { code?: unknown }).code === 'SQLITE_BUSY';
  } finally {
    db?.close();
  }
}

/**
 * Creates a file that only its owner can read, because anyone who can read it can also lock it. An existing file is
 * not opened, because closing it would release this process's own lock.
 */
function keepPrivate(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    if ((statSync(path).mode & 0o077) !== 0) chmodSync(path, 0o600);
  }
}
