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
    add: (row: { name: string; value: Uint8Array; created_at: string }) => void add.run(row),
  };
}

export interface BoardKeyRow {
  keyid: string;
  public_key: Uint8Array;
  secret_key: Uint8Array;
  log_index: number;
  created_at: string;
}

/** The keys that sign receipts. They live in the database, so that its file alone is the board. */
export function boardKeysIn(db: Database) {
  const insert = db.prepare(
    `INSERT INTO board_keys (keyid, public_key, secret_key, log_index, created_at)
     VALUES (@keyid, @public_key, @secret_key, @log_index, @created_at)`,
  );
  const all = db.prepare('SELECT * FROM board_keys ORDER BY log_index DESC');

  return {
    add: (row: BoardKeyRow) => void insert.run(row),
    /** Newest first; the first one signs. */
    all: () => all.all() as BoardKeyRow[],
  };
}
