/** A migrated database in memory, for tests that need more than the repository functions. */
import Database from 'better-sqlite3';
import { onTestFinished } from 'vitest';
import { presentPacked } from '#db/packed/views.ts';
import { NOW } from './builders.ts';
import { migratedFile } from './context.ts';

/** Deleted after the test. */
export function aDatabase(): Database.Database {
  const db = new Database(migratedFile());
  onTestFinished(() => void db.close());
  presentPacked(db);
  db.pragma('foreign_keys = ON');
  return db;
}

/** A database with operator 1, its signed devices 1 and 2, a self-reported device 3, and log entries 1 to 9. */
export function aPopulatedDatabase(): Database.Database {
  const db = aDatabase();
  db.exec(`
    INSERT INTO operators (id, public_id, codename, created_at) VALUES (1, 'p', 'ada', '${NOW}');
    INSERT INTO devices (id, public_id, operator_id, trust, installation_id, label, created_at)
    VALUES (1, 'd1', 1, 'signed', 'i1', 'a', '${NOW}'),
      (2, 'd2', 1, 'signed', 'i2', 'b', '${NOW}'),
      (3, 'd3', 1, 'self_reported', NULL, 'c', '${NOW}');
    INSERT INTO main.log_entries (log_index, kind, previous, received_at, payload_digest, entry_hash)
    SELECT value, 'snapshot', '', '${NOW}', '', '' FROM json_each('[1,2,3,4,5,6,7,8,9]');
  `);
  return db;
}

/**
 * SQLite's query plans of the statements that a repository prepares, one line for each step, each with its statement.
 */
export function plansOf(
  db: Database.Database,
  repositoryIn: (db: Database.Database) => unknown,
): { sql: string; steps: string[] }[] {
  const statements: string[] = [];
  const prepare = (sql: string) => {
    statements.push(sql);
    return db.prepare(sql);
  };
  repositoryIn(
    new Proxy(db, {
      get: (target, name) => (name === 'prepare' ? prepare : Reflect.get(target, name)) as unknown,
    }),
  );
  return statements.map((sql) => {
    const bound = sql.replaceAll(/@\w+|\?/g, 'NULL');
    const plan = db.prepare(`EXPLAIN QUERY PLAN ${bound}`).all() as { detail: string }[];
    return { sql, steps: plan.map(({ detail }) => detail) };
  });
}
