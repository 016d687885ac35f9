import { readFileSync, writeFileSync } from 'node:fs';
import Database from 'better-sqlite3';

const PAGE_BYTES = 4_096;

/** Spoils the page of a closed database that every reading of a table begins at, as a disk may. */
export function spoilTable(path: string, table: string): void {
  const db = new Database(path);
  // Nothing may be left in a write-ahead log, which would be read instead.
  db.pragma('wal_checkpoint(TRUNCATE)');
  const page = db.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').pluck().get(table);
  db.close();
  const bytes = readFileSync(path);
  const end = Number(page) * PAGE_BYTES;
  writeFileSync(path, bytes.fill(0xff, end - PAGE_BYTES, end));
}
