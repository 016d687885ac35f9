/** Databases from SQL text, as a tool would have written them. */
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { feedDatabase } from '#agent/logs/database.ts';
import type { FileReader, Reader } from '#core/readers/shared/reader.ts';
import { aFolder } from './log-folder.ts';

/** Creates a database in WAL mode that no one has open. */
export function makeDatabase(path: string, sql: string): string {
  mkdirSync(dirname(path), { recursive: true });
  const database = new DatabaseSync(path);
  database.exec(`PRAGMA journal_mode = WAL; ${sql}`);
  database.close();
  return path;
}

/** The lines that a reader receives from a database. */
export function rowsIn(reader: Reader, sql: string): string[] {
  const lines: string[] = [];
  const path = makeDatabase(join(aFolder(), 'made.db'), sql);
  const file = { line: (text: string) => void lines.push(text) } as FileReader;
  feedDatabase(path, reader, file);
  return lines;
}
