import type { Database } from 'better-sqlite3';

export interface ApiKeyRow {
  id: string;
  /** SHA-256 of the secret, hex. */
  secret_hash: string;
  label: string;
  /** Requests that it allows in a minute. */
  per_minute: number;
  created_at: string;
  /** Null while it can be used. */
  revoked_at: string | null;
}

/** The keys of the API's readers, revoked ones included. */
export function apiKeysIn(db: Database) {
  const insert = db.prepare(
    `INSERT INTO api_keys (id, secret_hash, label, per_minute, created_at)
     VALUES (@id, @secret_hash, @label, @per_minute, @created_at)`,
  );
  const byId = db.prepare('SELECT * FROM api_keys WHERE id = ?');
  const all = db.prepare('SELECT * FROM api_keys ORDER BY created_at, id');
  const revoke = db.prepare(
    `UPDATE api_keys SET revoked_at = coalesce(revoked_at, @now) WHERE id = @id`,
  );

  return {
    add: (row: Omit<ApiKeyRow, 'revoked_at'>) => void insert.run(row),
    byId: (id: string) => byId.get(id) as ApiKeyRow | undefined,
    all: () => all.all() as ApiKeyRow[],
    /** Revokes a key, unless that was done before; tells whether there is such a key. */
    revoke: (id: string, now: string) => revoke.run({ id, now }).changes > 0,
  };
}
