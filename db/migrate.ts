import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from 'better-sqlite3';
import { widenDailyStanding } from '#core/domain/daily-standing.ts';
import { factsOf, readLoggedSnapshot } from '#core/domain/logged-snapshot.ts';

/**
 * Applies the migrations that a database lacks, in name order, each in a transaction of its own.
 * Foreign keys are not enforced meanwhile, because rebuilding a table would then delete the rows
 * that refer to it; instead each migration must leave none that refers to nothing.
 */
export function migrate(db: Database, directory: string, now: () => Date): void {
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
  const names = readdirSync(directory).filter((name) => name.endsWith('.sql'));
  db.pragma('foreign_keys = OFF');
  names.sort().forEach((name) => apply.immediate(name));
  db.pragma('foreign_keys = ON');
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
