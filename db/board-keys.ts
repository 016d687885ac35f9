import type { Database } from 'better-sqlite3';

export interface BoardKeyRow {
  keyid: string;
  public_key: Uint8Array;
  secret_key: Uint8Array;
  /** The log entry that introduced it. */
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
    add(row: BoardKeyRow) {
      insert.run(row);
    },
    /** Newest first; the first one signs. */
    all: () => all.all() as BoardKeyRow[],
  };
}
