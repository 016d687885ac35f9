import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from 'better-sqlite3';

/** Applies the migrations that a database lacks, in name order, each in a transaction of its own. */
export function migrate(db: Database, directory: string, now: () => Date): void {
  db.exec(
    'CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY, applied_at TEXT NOT NULL) STRICT',
  );
  const files = readdirSync(directory)
    .filter((name) => name.endsWith('.sql'))
    .sort();
  for (const name of files) {
    const apply = db.transaction(() => {
      const known = db.prepare('SELECT 1 FROM migrations WHERE name = ?').get(name);
      if (known) return;
      db.exec(readFileSync(join(directory, name), 'utf8'));
      db.prepare('INSERT INTO migrations (name, applied_at) VALUES (?, ?)').run(
        name,
        now().toISOString(),
      );
    });
    apply.immediate();
  }
}
