import type { Database } from 'better-sqlite3';

/** When what a keeper waits for happened last; null for what never did, or what an earlier version did not note. */
export function timesIn(db: Database) {
  /** A column of an earlier version's database may be missing. */
  const read = (sql: string): string | null => {
    try {
      return (db.prepare(sql).pluck().get() ?? null) as string | null;
    } catch (error) {
      if ((error as { code?: unknown }).code === 'SQLITE_ERROR') return null;
      throw error;
    }
  };
  return {
    /** When the newest entry of the log was made. */
    entry: () => read('SELECT max(received_at) FROM log_entries'),
    /** When readers got the newest publication. */
    publication: () => read('SELECT max(public_at) FROM publications'),
    /** When a keeper made the last backup. */
    backup: () => read(`SELECT max(created_at) FROM audit_log WHERE action = 'backup'`),
  };
}
