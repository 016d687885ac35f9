import type { Database } from 'better-sqlite3';
import { statementsIn } from './statements.ts';

/** The board's random secrets. */
export function secretsIn(db: Database) {
  const sql = statementsIn(db);

  return {
    byName: sql.value<(name: string) => Uint8Array | undefined>(`
      SELECT value FROM secrets WHERE name = ?`),
    /** Adds a secret, unless one with this name exists. */
    add: sql.run<(row: { name: string; value: Uint8Array; created_at: string }) => void>(`
      INSERT INTO secrets (name, value, created_at) VALUES (@name, @value, @created_at)
      ON CONFLICT DO NOTHING`),
  };
}

export interface BoardKeyRow {
  keyid: string;
  public_key: Uint8Array;
  secret_key: Uint8Array;
  log_index: number;
  created_at: string;
}

/** The keys that sign receipts. They are in the database, so that its file alone is the whole board. */
export function boardKeysIn(db: Database) {
  const sql = statementsIn(db);

  return {
    add: sql.run<(row: BoardKeyRow) => void>(`
      INSERT INTO board_keys (keyid, public_key, secret_key, log_index, created_at)
      VALUES (@keyid, @public_key, @secret_key, @log_index, @created_at)`),
    /** Newest first. The first one signs. */
    all: sql.all<() => BoardKeyRow[]>('SELECT * FROM board_keys ORDER BY log_index DESC'),
  };
}

export interface ApiKeyRow {
  id: string;
  /** SHA-256 of the secret, hex. */
  secret_hash: string;
  label: string;
  /** Requests allowed in a minute. */
  per_minute: number;
  created_at: string;
  /** Null while the key is active. */
  revoked_at: string | null;
}

/** API keys, including revoked ones. */
export function apiKeysIn(db: Database) {
  const sql = statementsIn(db);
  const revoke = sql.did<(of: object) => boolean>(`
    UPDATE api_keys SET revoked_at = coalesce(revoked_at, @now) WHERE id = @id`);

  return {
    add: sql.run<(row: Omit<ApiKeyRow, 'revoked_at'>) => void>(`
      INSERT INTO api_keys (id, secret_hash, label, per_minute, created_at)
      VALUES (@id, @secret_hash, @label, @per_minute, @created_at)`),
    byId: sql.get<(id: string) => ApiKeyRow | undefined>('SELECT * FROM api_keys WHERE id = ?'),
    all: sql.all<() => ApiKeyRow[]>('SELECT * FROM api_keys ORDER BY created_at, id'),
    /** Revokes a key unless it is already revoked. Returns whether the key exists. */
    revoke: (id: string, now: string) => revoke({ id, now }),
  };
}
