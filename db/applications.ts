import type { Database } from 'better-sqlite3';

/** An application that an operator let in. */
export interface ApplicationRow {
  /** What its operator revokes it by. */
  id: string;
  grant_hash: string;
  operator_id: number;
  /** As it called itself when it was let in; null if it did not. */
  name: string | null;
  /** Where the browser was sent afterwards. */
  redirect_host: string;
  created_at: string;
  /** To the hour; null before it was used. */
  last_used_at: string | null;
}

/** The applications that operators let in, by the SHA-256 of their grant's id. */
export function applicationsIn(db: Database) {
  const put = db.prepare(
    `INSERT INTO applications (id, grant_hash, operator_id, name, redirect_host, created_at)
     VALUES (@id, @grant_hash, @operator_id, @name, @redirect_host, @created_at)
     ON CONFLICT (grant_hash) DO UPDATE SET name = excluded.name,
       redirect_host = excluded.redirect_host`,
  );
  const byGrant = db.prepare('SELECT * FROM applications WHERE grant_hash = ?');
  const ofOperator = db.prepare(
    'SELECT * FROM applications WHERE operator_id = ? ORDER BY created_at DESC, id',
  );
  const use = db.prepare(
    'UPDATE applications SET last_used_at = @now WHERE grant_hash = @grant_hash',
  );

  return {
    /** Notes whom a grant lets in; a grant that is given again keeps its beginning. */
    put(row: Omit<ApplicationRow, 'last_used_at'>) {
      put.run(row);
    },
    byGrant: (grant_hash: string) => byGrant.get(grant_hash) as ApplicationRow | undefined,
    /** An operator's, the newest first. */
    ofOperator: (operator_id: number) => ofOperator.all(operator_id) as ApplicationRow[],
    use(grant_hash: string, now: string) {
      use.run({ grant_hash, now });
    },
  };
}
