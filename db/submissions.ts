import type { Database } from 'better-sqlite3';

export interface SubmissionRow {
  log_index: number;
  id: string;
  operator_id: number;
  device_id: number;
  /** Null for what was sent through a session. */
  keyid: string | null;
  /** SHA-256 of the payload bytes, hex. */
  payload_hash: string;
  /** The collector's name and version. */
  collector: string;
  records: number;
  /** What its sender was told, as JSON. */
  answer: string;
}

export function submissionsIn(db: Database) {
  const insert = db.prepare(
    `INSERT INTO submissions (log_index, id, operator_id, device_id, keyid, payload_hash, collector,
       records, answer)
     VALUES (@log_index, @id, @operator_id, @device_id, @keyid, @payload_hash, @collector,
       @records, @answer)`,
  );
  const byId = db.prepare('SELECT * FROM submissions WHERE id = ?');

  return {
    add(row: SubmissionRow) {
      insert.run(row);
    },
    byId: (id: string) => byId.get(id) as SubmissionRow | undefined,
  };
}
