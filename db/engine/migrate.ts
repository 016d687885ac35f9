import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from 'better-sqlite3';
import { widenDailyStanding } from '#core/domain/board/daily-standing.ts';
import { factsOf, readLoggedSnapshot } from '#core/domain/log/logged-snapshot.ts';

/** How the migrations of a program and of a database differ. */
export interface Difference {
  /** What the database lacks, in the order in which it is applied. */
  lacking: string[];
  /** What was applied to it that the program does not know. */
  unknown: string[];
}

/** Compares what was applied to a database with a folder of migrations. */
export function differenceOf(db: Database, directory: string): Difference {
  const applied = appliedTo(db);
  const names = migrationsIn(directory);
  return {
    lacking: names.filter((name) => !applied.includes(name)),
    unknown: applied.filter((name) => !names.includes(name)),
  };
}

/**
 * Applies the migrations that a database lacks, in name order, each in a transaction of its own.
 * Foreign keys are not enforced meanwhile, because rebuilding a table would then delete the rows
 * that refer to it; instead each migration must leave none that refers to nothing.
 *
 * @param only The names of those that may be applied; all if left out.
 */
export function migrate(
  db: Database,
  directory: string,
  now: () => Date,
  only?: readonly string[],
): void {
  db.exec(
    'CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY, applied_at TEXT NOT NULL) STRICT',
  );
  const known = db.prepare('SELECT 1 FROM migrations WHERE name = ?');
  const remember = db.prepare('INSERT INTO migrations (name, applied_at) VALUES (?, ?)');
  const apply = db.transaction((name: string) => {
    if (known.get(name)) return;
    db.exec(readFileSync(join(directory, name), 'utf8'));
    const dangling = db.pragma('foreign_key_check') as unknown[];
    if (dangling.length > 0) throw new Error(`${name} leaves rows that refer to nothing`);
    remember.run(name, now().toISOString());
  });
  defineFunctions(db);
  const names = migrationsIn(directory).filter((name) => !only || only.includes(name));
  db.pragma('foreign_keys = OFF');
  try {
    names.forEach((name) => apply.immediate(name));
  } finally {
    db.pragma('foreign_keys = ON');
  }
}

/** The names of a folder's migrations, in the order in which they are applied. */
export function migrationsIn(directory: string): string[] {
  return readdirSync(directory)
    .filter((name) => name.endsWith('.sql'))
    .sort();
}

/** The names of the migrations that were applied to a database, in their order. */
export function appliedTo(db: Database): string[] {
  const isThere = db.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'migrations'`).get();
  if (!isThere) return [];
  return db.prepare('SELECT name FROM migrations ORDER BY name').pluck().all() as string[];
}

/** What a released migration calls stays as it is, as the migration does. */
function defineFunctions(db: Database): void {
  const options = { deterministic: true, directOnly: true };
  db.function('snapshot_facts', options, (payload) =>
    JSON.stringify(factsOf(readLoggedSnapshot(payload as Uint8Array).buckets)),
  );
  db.function('widened_daily_standing', options, (body) =>
    Buffer.from(widenDailyStanding(body as Uint8Array)),
  );
}
