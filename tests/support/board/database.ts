/** A migrated database in memory, for what no repository function does. */
import Database from 'better-sqlite3';
import { onTestFinished } from 'vitest';
import { NOW } from './builders.ts';
import { migratedFile } from './context.ts';

/** Gone when the test is over. */
export function aDatabase(): Database.Database {
  const db = new Database(migratedFile());
  onTestFinished(() => void db.close());
  db.pragma('foreign_keys = ON');
  return db;
}

/** A database with an operator 1, its signed devices 1 and 2, a self-reported one 3, and log entries 1 to 9. */
export function aPopulatedDatabase(): Database.Database {
  const db = aDatabase();
  db.exec(`
    INSERT INTO operators (id, public_id, codename, created_at) VALUES (1, 'p', 'ada', '${NOW}');
    INSERT INTO devices (id, public_id, operator_id, trust, installation_id, label, created_at)
    VALUES (1, 'd1', 1, 'signed', 'i1', 'a', '${NOW}'),
      (2, 'd2', 1, 'signed', 'i2', 'b', '${NOW}'),
      (3, 'd3', 1, 'self_reported', NULL, 'c', '${NOW}');
    INSERT INTO log_entries (log_index, kind, previous, received_at, payload_digest, entry_hash)
    SELECT value, 'snapshot', '', '${NOW}', '', '' FROM json_each('[1,2,3,4,5,6,7,8,9]');
  `);
  return db;
}

/** How SQLite carries out the statements that a repository prepares, a line a step, each with its statement. */
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
