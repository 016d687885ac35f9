import type { Database } from 'better-sqlite3';
import { keptChunksIn } from '../kept-chunks.ts';
import { statementsIn } from '../statements.ts';
import { withWriteLock } from './write-lock.ts';

/** How long emptying the write-ahead log waits for other connections. The server cannot write meanwhile. */
const CHECKPOINT_TIMEOUT_MS = 20;

/** The most that one step erases: bytes of the log, or rows of a table. */
const STEP_BYTES = 1024 * 1024;
const STEP_ROWS = 1000;

/** Consecutive log entries, by the first and the last. */
export type EntryRange = [first: number, last: number];

/** Everything that lets someone act for an account, deleted as soon as its erasure begins. */
const ACCESS = [
  'sessions',
  'login_links',
  'sign_in_attempts',
  'passkey_challenges',
  'mail_links',
  'enrollment_codes',
  // Passkeys are deleted with their identity.
  'identities',
  'applications',
  'oidc_entities',
  'member_mail',
  'mail_queue',
];

/** Tables in which an account may have very many rows, with their keys. Tables that refer to others come first. */
const LONG_TABLES = {
  unmoved_buckets: 'operator_id, day, tool, device_id, provider, model',
  daily_counts: 'operator_id, day, source, device_id',
  usage_blocks: 'operator_id, month',
  sources: 'operator_id, source',
  day_vectors: 'operator_id, place, log_index',
  daily_standings: 'day, tool, trust, operator_id',
  submission_checks: 'submission, check_id, tool',
  packed_submissions: 'log_index',
  'main.submissions': 'log_index',
  words: 'id',
};

/** The tables of log entries, and what else in them must be erased. */
const ENTRY_TABLES = { packed_entries: 'mark = NULL, form = 0,', 'main.log_entries': '' };

/** A query for accounts whose erasure has begun, in a board of any version. They count as erased. */
export function closedAccounts(db: Database): string {
  const columns = db.pragma('table_info(operators)') as { name: string }[];
  const isKnown = columns.some(({ name }) => name === 'erasing_at');
  return `SELECT id FROM operators WHERE ${isKnown ? 'erasing_at IS NOT NULL' : '0'}`;
}

/**
 * Removes an account from the database, so that nothing identifies it any more. A large account is erased in steps.
 * It is gone for everyone once `begin` is durable, and `end` deletes the rest.
 */
export function erasureIn(db: Database) {
  const sql = statementsIn(db);
  const ranges = sql.tuples<(id: unknown) => EntryRange[]>(`
    SELECT min(log_index), max(log_index) FROM (
      SELECT log_index, log_index - row_number() OVER (ORDER BY log_index) AS stretch
      FROM log_entries WHERE operator_id = ?
    ) GROUP BY stretch ORDER BY 1`);
  const close = [
    // Rows of an account that no foreign key deletes.
    `DELETE FROM device_token_ids WHERE keyid IN (
       SELECT k.keyid FROM device_keys k JOIN devices d ON d.id = k.device_id
       WHERE d.operator_id = @id)`,
    `DELETE FROM mail_links WHERE subject IN (
       SELECT subject FROM identities WHERE operator_id = @id)`,
    // Only interactions and sessions can contain the ID of another account: one that signed in earlier in that browser.
    `DELETE FROM oidc_entities
     WHERE kind IN ('Interaction', 'Session') AND instr(payload, @public_id) > 0`,
    ...ACCESS.map((table) => `DELETE FROM ${table} WHERE operator_id = @id`),
    `UPDATE operators SET erasing_at = @at, public_name = NULL, is_open = 0 WHERE id = @id`,
  ].map((sql) => db.prepare(sql));

  const entries = Object.entries(ENTRY_TABLES).map(([table, form]) => ({
    next: sql.tuples<(id: unknown) => [number, number][]>(`
      SELECT log_index, length(payload) FROM ${table}
      WHERE operator_id = ? ORDER BY log_index LIMIT ${STEP_ROWS}`),
    erase: sql.did<(of: object) => boolean>(`
      UPDATE ${table} SET ${form} salt = NULL, payload = NULL, operator_id = NULL
      WHERE operator_id = @id AND log_index <= @last`),
  }));
  const eraseRows = Object.entries(LONG_TABLES).map(([table, key]) =>
    sql.did<(id: unknown) => boolean>(`
      DELETE FROM ${table} WHERE (${key}) IN (
        SELECT ${key} FROM ${table} WHERE operator_id = ? LIMIT ${STEP_ROWS})`),
  );
  const days = keptChunksIn(db);
  const remove = sql.run<(id: unknown) => void>('DELETE FROM operators WHERE id = ?');

  /**
   * Erases the payloads and salts of an account's next log entries, but not their hashes. Returns false if none are
   * left.
   */
  function eraseNextEntries({ next, erase }: (typeof entries)[number], id: number): boolean {
    let bytes = 0;
    let last = 0;
    for (const [log_index, length] of next(id)) {
      if (bytes > 0 && bytes + length > STEP_BYTES) break;
      bytes += length;
      last = log_index;
    }
    return erase({ id, last });
  }

  const sizeOf = sql.get<(id: number) => { bytes: number; buckets: number }>(`
    SELECT (SELECT coalesce(sum(length(payload)), 0) FROM packed_entries WHERE operator_id = @id)
        + (SELECT coalesce(sum(length(payload)), 0) FROM main.log_entries WHERE operator_id = @id) AS bytes,
      (SELECT count(*) FROM buckets WHERE operator_id = @id) AS buckets`);

  return {
    /** How much an account has to erase: bytes of the log, daily counts, and chunks of stored days. */
    sizeOf: (id: number) => ({ ...sizeOf(id), chunks: days.chunksWith(id) }),
    /**
     * Closes an account: from now on, nobody can use or see it. Call it inside the transaction that adds the erasure
     * to the log.
     *
     * @returns The entries that will be erased.
     */
    begin(account: { id: number; public_id: string }, at: string): EntryRange[] {
      const erased = ranges(account.id);
      close.forEach((statement) => statement.run({ ...account, at }));
      return erased;
    },
    pending: sql.values<() => number[]>('SELECT id FROM operators WHERE erasing_at IS NOT NULL'),
    /** Erases a part of a closed account, which takes milliseconds. Returns false if only `end` is left to do. */
    step(id: number): boolean {
      return (
        entries.some((table) => eraseNextEntries(table, id)) ||
        days.removeNext(id) ||
        eraseRows.some((eraseNext) => eraseNext(id))
      );
    },
    /** Deletes everything left of a closed account. Call it inside a transaction. */
    end(id: number) {
      entries.forEach(({ erase }) => erase({ id, last: Number.MAX_SAFE_INTEGER }));
      while (days.removeNext(id));
      remove(id);
    },
    /**
     * Moves the write-ahead log into the file and empties it, so that no earlier state of a page is left. Returns
     * false if another connection prevents it. Writers wait meanwhile, so it does most of the work before and gives
     * up soon.
     */
    checkpoint(): boolean {
      const timeout = db.pragma('busy_timeout', { simple: true }) as number;
      db.pragma('wal_checkpoint(PASSIVE)');
      return withWriteLock(db, () => {
        db.pragma(`busy_timeout = ${CHECKPOINT_TIMEOUT_MS}`);
        try {
          const [state] = db.pragma('wal_checkpoint(TRUNCATE)') as [{ busy: number }];
          return state.busy === 0;
        } finally {
          db.pragma(`busy_timeout = ${timeout}`);
        }
      });
    },
  };
}
