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
  const byHash = db.prepare('SELECT * FROM enrollment_codes WHERE code_hash = ?');
  const use = db.prepare(
    'UPDATE enrollment_codes SET used_by_keyid = @keyid WHERE code_hash = @code_hash',
  );

  return {
    add(code: { code_hash: string; operator_id: number; created_at: string; expires_at: string }) {
      insert.run(code);
    },
    byHash: (code_hash: string) => byHash.get(code_hash) as EnrollmentCodeRow | undefined,
    use(code_hash: string, keyid: string) {
      use.run({ code_hash, keyid });
    },
  };
}
