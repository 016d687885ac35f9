import { readFileSync, writeFileSync } from 'node:fs';
import Database from 'better-sqlite3';

const PAGE_BYTES = 4_096;

/** Damages the page of a closed database at which every read of a table begins, as a disk may. */
export function spoilTable(path: string, table: string): void {
  const db = new Database(path);
  // The write-ahead log must be empty, because it would be read instead.
  db.pragma('wal_checkpoint(TRUNCATE)');
  const page = db.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').pluck().get(table);
  db.close();
  const bytes = readFileSync(path);
  const end = Number(page) * PAGE_BYTES;
  writeFileSync(path, bytes.fill(0xff, end - PAGE_BYTES, end));
}
