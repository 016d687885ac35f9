import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { widenDailyStanding } from '#core/domain/board/daily-standing.ts';
import { factsOf, readLoggedSnapshot } from '#core/domain/log/logged-statement.ts';

export interface Difference {
  /** Migrations that the database lacks, in the order in which they are applied. */
  lacking: string[];
  /** Applied migrations that this program does not know. */
  unknown: string[];
}

export function differenceOf(db: Database.Database, directory: string): Difference {
  const applied = appliedTo(db);
  const names = migrationsIn(directory);
  return {
    lacking: names.filter((name) => !applied.includes(name)),
    unknown: applied.filter((name) => !names.includes(name)),
  };
}

/**
 * Applies the migrations that a database lacks, in name order, each in its own transaction. Foreign keys are not
 * enforced meanwhile, because rebuilding a table would then delete the rows that refer to it. Instead, no migration
 * may leave a row with a missing reference.
 *
 * @param only The names of those that may be applied; all if absent.
 */
export function migrate(
  db: Database.Database,
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
    if (dangling.length > 0) throw new Error(`${name} leaves rows with missing references`);
    remember.run(name, now().toISOString());
  });
  defineFunctions(db);
  const names = migrationsIn(directory).filter((name) => !only || only.includes(name));
  db.pragma('foreign_keys = OFF');
  // A migration may change the text of a table's definition.
  db.unsafeMode(true);
  try {
    names.forEach((name) => apply.immediate(name));
  } finally {
    db.unsafeMode(false);
    db.pragma('foreign_keys = ON');
  }
}

/** The names of a folder's migrations, in the order in which they are applied. */
export function migrationsIn(directory: string): string[] {
  return readdirSync(directory)
    .filter((name) => name.endsWith('.sql'))
    .sort();
}

/** The names of the migrations applied to a database, in order. */
function appliedTo(db: Database.Database): string[] {
  const isThere = db.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'migrations'`).get();
  if (!isThere) return [];
  return db.prepare('SELECT name FROM migrations ORDER BY name').pluck().all() as string[];
}

/** Functions that released migrations call. Do not change them, as you would not change a released migration. */
function defineFunctions(db: Database.Database): void {
  const options = { deterministic: true, directOnly: true };
  db.function('snapshot_facts', options, (payload) =>
    JSON.stringify(factsOf(readLoggedSnapshot(payload as Uint8Array).buckets)),
  );
  db.function('widened_daily_standing', options, (body) =>
    Buffer.from(widenDailyStanding(body as Uint8Array)),
  );
}

interface Part {
  type: string;
  name: string;
  tbl_name: string;
  /** Null for an index that a table's definition creates. */
  sql: string | null;
}

/**
 * Compares a database's schema with the one that its migrations create. Anything else could do harm: a trigger, for
 * example, would run with the next write. Tables of Litestream are allowed.
 *
 * @param directory The folder of the program's migrations.
 * @returns Sentences; null if a newer program made the database.
 */
export function schemaFaults(db: Database.Database, directory: string): string[] | null {
  const applied = appliedTo(db);
  const known = migrationsIn(directory);
  if (applied.some((name) => !known.includes(name))) return null;
  if (applied.join('\n') !== known.slice(0, applied.length).join('\n')) {
    return ['the migrations applied to the database do not match any version'];
  }
  return differences(partsOf(db), partsMadeBy(applied, directory));
}

function partsMadeBy(names: readonly string[], directory: string): Map<string, Part> {
  const model = new Database(':memory:');
  try {
    migrate(model, directory, () => new Date(0), names);
    return partsOf(model);
  } finally {
    model.close();
  }
}

function partsOf(db: Database.Database): Map<string, Part> {
  const rows = db.prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema').all() as Part[];
  const own = rows.filter((part) => !isOfOthers(part));
  return new Map(own.map((part) => [`${part.type} ${part.name}`, part]));
}

/** The tables of SQLite's ANALYZE and of Litestream, which contain nothing executable. */
function isOfOthers({ type, tbl_name, sql }: Part): boolean {
  const isTable = type === 'table' || (type === 'index' && sql === null);
  return isTable && /^(?:_litestream_|sqlite_stat\d$)/.test(tbl_name);
}

function differences(found: Map<string, Part>, made: Map<string, Part>): string[] {
  const told = [];
  for (const [key, { sql, tbl_name }] of found) {
    const model = made.get(key);
    if (!model) told.push(`the ${key} is not part of its version's schema`);
    else if (model.sql !== sql || model.tbl_name !== tbl_name) {
      told.push(`the ${key} differs from its version's schema`);
    }
  }
  const missing = [...made.keys()].filter((key) => !found.has(key));
  return [...told, ...missing.map((key) => `the ${key} is missing`)];
}
