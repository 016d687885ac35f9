import type { Database } from 'better-sqlite3';

/** Random bytes of the board's own. */
export function secretsIn(db: Database) {
  const byName = db.prepare('SELECT value FROM secrets WHERE name = ?').pluck();
  const add = db.prepare(
    `INSERT INTO secrets (name, value, created_at) VALUES (@name, @value, @created_at)
     ON CONFLICT DO NOTHING`,
  );

  return {
    byName: (name: string) => byName.get(name) as Uint8Array | undefined,
    /** Keeps a secret, unless there is one of this name. */
    add(row: { name: string; value: Uint8Array; created_at: string }) {
      add.run(row);
    },
  };
}
