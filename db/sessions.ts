import type { Database } from 'better-sqlite3';

export interface SessionRow {
  id_hash: string;
  operator_id: number;
  created_at: string;
  expires_at: string;
}

/** Sign-in sessions, known only by the SHA-256 of their id. */
export function sessionsIn(db: Database) {
  const insert = db.prepare(
    `INSERT INTO sessions (id_hash, operator_id, created_at, expires_at)
     VALUES (@id_hash, @operator_id, @created_at, @expires_at)`,
  );
  const byHash = db.prepare('SELECT * FROM sessions WHERE id_hash = ?');
  const ofOperator = db.prepare('SELECT * FROM sessions WHERE operator_id = ?');
  const renew = db.prepare('UPDATE sessions SET expires_at = @expires_at WHERE id_hash = @id_hash');
  const remove = db.prepare('DELETE FROM sessions WHERE id_hash = ?');
  const removeOfOperator = db.prepare('DELETE FROM sessions WHERE operator_id = ?');
  const removeExpired = db.prepare('DELETE FROM sessions WHERE expires_at < ?');

  return {
    add(row: SessionRow) {
      insert.run(row);
    },
    byHash: (id_hash: string) => byHash.get(id_hash) as SessionRow | undefined,
    ofOperator: (operator_id: number) => ofOperator.all(operator_id) as SessionRow[],
    renew(id_hash: string, expires_at: string) {
      renew.run({ id_hash, expires_at });
    },
    remove(id_hash: string) {
      remove.run(id_hash);
    },
    removeOfOperator(operator_id: number) {
      removeOfOperator.run(operator_id);
    },
    removeExpired(now: string) {
      removeExpired.run(now);
    },
  };
}
