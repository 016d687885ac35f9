import type { Database } from 'better-sqlite3';

export interface EnrollmentCodeRow {
  operator_id: number;
  expires_at: string;
  /** The key that it bound; null while it is unused. */
  used_by_keyid: string | null;
}

/** One-time codes, known only by their SHA-256. */
export function enrollmentCodesIn(db: Database) {
  const insert = db.prepare(
    `INSERT INTO enrollment_codes (code_hash, operator_id, created_at, expires_at)
     VALUES (@code_hash, @operator_id, @created_at, @expires_at)`,
  );
  const prune = db.prepare(
    `DELETE FROM enrollment_codes WHERE operator_id = @operator_id AND code_hash NOT IN (
       SELECT code_hash FROM enrollment_codes WHERE operator_id = @operator_id
       ORDER BY code_hash = @code_hash DESC, created_at DESC LIMIT @most)`,
  );
  const byHash = db.prepare('SELECT * FROM enrollment_codes WHERE code_hash = ?');
  const use = db.prepare(
    'UPDATE enrollment_codes SET used_by_keyid = @keyid WHERE code_hash = @code_hash',
  );

  return {
    /** Keeps a code; of an operator who has more than `most`, the oldest are forgotten. */
    add(
      code: { code_hash: string; operator_id: number; created_at: string; expires_at: string },
      most: number,
    ) {
      insert.run(code);
      prune.run({ operator_id: code.operator_id, code_hash: code.code_hash, most });
    },
    byHash: (code_hash: string) => byHash.get(code_hash) as EnrollmentCodeRow | undefined,
    use(code_hash: string, keyid: string) {
      use.run({ code_hash, keyid });
    },
  };
}
