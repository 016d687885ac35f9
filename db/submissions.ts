import type { Database } from 'better-sqlite3';

export interface SubmissionRow {
  log_index: number;
  /** The board's own name of it. */
  id: string;
  operator_id: number;
  device_id: number;
  /** Null for what was sent through a session. */
  keyid: string | null;
  /** The name that its sender gave it; unique for the key. */
  submission_id: string;
  /** SHA-256 of the payload bytes, hex. */
  payload_hash: string;
  collector_name: string;
  collector_version: string;
  records: number;
  /** What its sender was told, as JSON. */
  answer: string;
}

export function submissionsIn(db: Database) {
  const insert = db.prepare(
    `INSERT INTO submissions (log_index, id, operator_id, device_id, keyid, submission_id, payload_hash, collector_name,
       collector_version, records, answer)
     VALUES (@log_index, @id, @operator_id, @device_id, @keyid, @submission_id, @payload_hash, @collector_name,
       @collector_version, @records, @answer)`,
  );
  const ofKey = db.prepare('SELECT * FROM submissions WHERE keyid = ? AND submission_id = ?');

  return {
    add(row: SubmissionRow) {
      insert.run(row);
    },
    /** What a key has sent under a submission id. */
    ofKey: (keyid: string, submission_id: string) =>
      ofKey.get(keyid, submission_id) as SubmissionRow | undefined,
  };
}
