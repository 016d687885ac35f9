import Database from 'better-sqlite3';
import type { PrivacyMode } from '#core/schema/record.ts';

/** How an account is seen in a file that may be another version's. */
export interface SeenAccount {
  public_id: string;
  privacy_mode: PrivacyMode;
  data_opt_out: 0 | 1;
  /** Since when the keeper hides it; null if it does not. */
  hidden_at: string | null;
  /** Why, if that is known. */
  hidden_reason: string | null;
}

/** What a board's file tells of who was deleted and who is seen. */
export interface Accounts {
  /** By their public ids. */
  seen: ReadonlyMap<string, SeenAccount>;
  /** The keyed hashes of deleted accounts' names. */
  reserved: ReadonlySet<string>;
  /** The key of these; null before the first. */
  secret: Uint8Array | null;
}

/** Reads them from a database that any version wrote; what an earlier one did not know, no account has. */
export function accountsIn(path: string): Accounts {
  const db = new Database(path, { readonly: true, fileMustExist: true, timeout: 5_000 });
  try {
    const rows = db.prepare('SELECT * FROM operators').all() as SeenRow[];
    const reason = db
      .prepare(
        `SELECT CAST(payload AS TEXT) FROM log_entries WHERE kind = 'hide' AND operator_id = ?
         ORDER BY log_index DESC LIMIT 1`,
      )
      .pluck();
    const isThere = db.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?');
    const values = (table: string, sql: string) =>
      isThere.get(table) ? db.prepare(sql).pluck().all() : [];
    const reserved = values('reserved_codenames', 'SELECT codename_hash FROM reserved_codenames');
    const [secret] = values('secrets', `SELECT value FROM secrets WHERE name = 'codenames'`);
    const seen = rows.map(({ id, hidden_at = null, ...row }) => {
      const payload = hidden_at === null ? null : (reason.get(id) as string | undefined);
      const hidden_reason = payload ? (JSON.parse(payload) as { reason: string }).reason : null;
      return [row.public_id, { ...row, hidden_at, hidden_reason }] as const;
    });
    return {
      seen: new Map(seen),
      reserved: new Set(reserved as string[]),
      secret: (secret as Uint8Array | undefined) ?? null,
    };
  } finally {
    db.close();
  }
}

type SeenRow = Omit<SeenAccount, 'hidden_at' | 'hidden_reason'> & {
  id: number;
  hidden_at?: string | null;
};
