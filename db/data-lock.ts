import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';

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
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const db = new Database(join(folder, 'server.lock'), { timeout: 0 });
  try {
    db.exec('BEGIN EXCLUSIVE');
    return { release: () => void db.close() };
  } catch (error) {
    db.close();
    if ((error as { code?: unknown }).code === 'SQLITE_BUSY') return null;
    throw error;
  }
}
