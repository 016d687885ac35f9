import type { Database } from 'better-sqlite3';

/** How long an emptying of the write-ahead log waits for others. */
const CHECKPOINT_TIMEOUT_MS = 100;

/** Entries of the log without a gap, by the first and the last. */
export type EntryRange = [first: number, last: number];

/** What takes an account out of the database, so that nothing there names it any more. */
export function erasureIn(db: Database) {
  const ranges = db
    .prepare(
      `SELECT min(log_index), max(log_index) FROM (
         SELECT log_index, log_index - row_number() OVER (ORDER BY log_index) AS stretch
         FROM log_entries WHERE operator_id = ?
       ) GROUP BY stretch ORDER BY 1`,
    )
    .raw();
  const eraseEntries = db.prepare(
    `UPDATE log_entries SET salt = NULL, payload = NULL, operator_id = NULL WHERE operator_id = ?`,
  );
  // What belongs to an account without a reference that deletes it.
  const unbound = [
    `DELETE FROM device_token_ids WHERE keyid IN (
       SELECT k.keyid FROM device_keys k JOIN devices d ON d.id = k.device_id
       WHERE d.operator_id = @id)`,
    `DELETE FROM mail_links WHERE subject IN (
       SELECT subject FROM identities WHERE operator_id = @id)`,
    // Only these can name an account besides the one that they are of: who signed in there before.
    `DELETE FROM oidc_entities
     WHERE kind IN ('Interaction', 'Session') AND instr(payload, @public_id) > 0`,
  ].map((sql) => db.prepare(sql));
  const remove = db.prepare('DELETE FROM operators WHERE id = ?');

  return {
    /**
     * Erases the payloads and salts of an account's log entries, whose hashes stay, and deletes all else
     * of it. Call it inside a transaction.
     *
     * @returns The entries that were erased.
     */
    erase({ id, public_id }: { id: number; public_id: string }): EntryRange[] {
      const erased = ranges.all(id) as EntryRange[];
      eraseEntries.run(id);
      unbound.forEach((statement) => statement.run({ id, public_id }));
      remove.run(id);
      return erased;
    },
    /**
     * Moves what the write-ahead log holds into the file and empties it, so that no earlier state of
     * a page is left; false if another connection keeps it from that. Who writes meanwhile waits for it,
     * so it does most of the work before and gives up soon.
     */
    checkpoint(): boolean {
      const timeout = db.pragma('busy_timeout', { simple: true }) as number;
      db.pragma('wal_checkpoint(PASSIVE)');
      db.pragma(`busy_timeout = ${CHECKPOINT_TIMEOUT_MS}`);
      try {
        const [state] = db.pragma('wal_checkpoint(TRUNCATE)') as [{ busy: number }];
        return state.busy === 0;
      } finally {
        db.pragma(`busy_timeout = ${timeout}`);
      }
    },
  };
}
