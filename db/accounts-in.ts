import type { Database } from 'better-sqlite3';
import type { PrivacyMode } from '#core/schema/record.ts';
import { openReadOnly } from './engine/copy.ts';
import { presentPacked } from './packed/views.ts';
import { isDamage } from './engine/open.ts';

export interface SeenAccount {
  public_id: string;
  privacy_mode: PrivacyMode;
  data_opt_out: 0 | 1;
  /** Since when the admin hides it; null if it is not hidden. */
  hidden_at: string | null;
  /** The reason, if known. */
  hidden_reason: string | null;
}

/** A board file's data on deleted accounts, visibility, and valid keys. */
export interface Accounts {
  /** By public ID. */
  seen: Map<string, SeenAccount>;
  /** Keyed hashes of deleted accounts' names. */
  reserved: Set<string>;
  /** The key of these hashes; null before the first. */
  secret: Uint8Array | null;
  /** The IDs of revoked API keys. */
  revokedKeys: Set<string>;
  /** Whether all of it could be read. */
  isWhole: boolean;
}

/**
 * Reads them from a database of any version. Columns that an earlier version lacks are left empty. From a damaged
 * database, reads whatever can be read.
 */
export function accountsIn(path: string): Accounts {
  const db = openReadOnly(path);
  const found: Accounts = {
    seen: new Map(),
    reserved: new Set(),
    secret: null,
    revokedKeys: new Set(),
    isWhole: true,
  };
  const isThere = db.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?');
  const read = (work: () => void) => {
    try {
      work();
    } catch (error) {
      if (!isDamage(error)) throw error;
      found.isWhole = false;
    }
  };
  const each = (table: string, sql: string, take: (value: unknown) => void) => {
    read(() => {
      if (!isThere.get(table)) return;
      for (const value of db.prepare(sql).pluck().iterate()) take(value);
    });
  };
  try {
    read(() => presentPacked(db));
    read(() => {
      for (const row of db.prepare('SELECT * FROM operators').iterate()) {
        const { id, hidden_at = null, erasing_at = null, ...account } = row as SeenRow;
        if (erasing_at !== null) continue;
        found.seen.set(account.public_id, { ...account, hidden_at, hidden_reason: null });
        if (hidden_at !== null) read(() => addReason(db, found.seen, account.public_id, id));
      }
    });
    each('reserved_codenames', 'SELECT codename_hash FROM reserved_codenames', (hash) => {
      found.reserved.add(hash as string);
    });
    each('secrets', `SELECT value FROM secrets WHERE name = 'codenames'`, (value) => {
      found.secret = value as Uint8Array;
    });
    each('api_keys', 'SELECT id FROM api_keys WHERE revoked_at IS NOT NULL', (id) => {
      found.revokedKeys.add(id as string);
    });
    return found;
  } finally {
    db.close();
  }
}

type SeenRow = Omit<SeenAccount, 'hidden_at' | 'hidden_reason'> & {
  id: number;
  hidden_at?: string | null;
  erasing_at?: string | null;
};

function addReason(db: Database, seen: Accounts['seen'], public_id: string, id: number): void {
  const payload = db
    .prepare(
      `SELECT CAST(payload AS TEXT) FROM log_entries WHERE kind = 'hide' AND operator_id = ?
       ORDER BY log_index DESC LIMIT 1`,
    )
    .pluck()
    .get(id) as string | undefined | null;
  const account = seen.get(public_id);
  if (!payload || !account) return;
  account.hidden_reason = (JSON.parse(payload) as { reason: string }).reason;
}
