import Database from 'better-sqlite3';
import { appliedTo, migrate, migrationsIn } from './migrate.ts';

/** A table, an index, a trigger or a view. */
interface Part {
  type: string;
  name: string;
  tbl_name: string;
  /** Null for an index that a table's own text asks for. */
  sql: string | null;
}

/**
 * How the tables of a database, their indexes and all else in its schema differ from what the migrations make that were
 * applied to it: a trigger would run with the next write. What Litestream keeps for itself is let through.
 *
 * @param directory The folder of the program's migrations.
 * @returns Sentences; null if a newer program made the database.
 */
export function schemaFaults(db: Database.Database, directory: string): string[] | null {
  const applied = appliedTo(db);
  const known = migrationsIn(directory);
  if (applied.some((name) => !known.includes(name))) return null;
  if (applied.join('\n') !== known.slice(0, applied.length).join('\n')) {
    return ['the migrations that were applied to it are those of no version'];
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

/** What SQLite's ANALYZE and Litestream keep, which are tables and nothing that runs. */
function isOfOthers({ type, tbl_name, sql }: Part): boolean {
  const isTable = type === 'table' || (type === 'index' && sql === null);
  return isTable && /^(?:_litestream_|sqlite_stat\d$)/.test(tbl_name);
}

function differences(found: Map<string, Part>, made: Map<string, Part>): string[] {
  const told = [];
  for (const [key, { sql, tbl_name }] of found) {
    const model = made.get(key);
    if (!model) told.push(`it has the ${key}, which no board of its version has`);
    else if (model.sql !== sql || model.tbl_name !== tbl_name) {
      told.push(`its ${key} is another than that of a board of its version`);
    }
  }
  const missing = [...made.keys()].filter((key) => !found.has(key));
  return [...told, ...missing.map((key) => `it lacks the ${key}`)];
}
