/** Access to the log and the submissions of a board's file, whatever form their rows have. */
import Database from 'better-sqlite3';
import { presentPacked } from '#db/packed/views.ts';
import { editCounts } from './editable-counts.ts';

/** Opens a file for reading, as the board's own programs read it. */
export function openToRead(path: string): Database.Database {
  const db = new Database(path, { readonly: true });
  presentPacked(db);
  return db;
}

const SUBMISSION_COLUMNS = `log_index, id, operator_id, device_id, keyid, submission_id, idempotency_key_hash,
  payload_hash, collector_name, collector_version, records, days, first_day, last_day, tools, state, answer`;
const ENTRY_COLUMNS = `log_index, kind, previous, received_at, payload_digest, entry_hash, operator_id, salt, payload`;

/**
 * Stores all rows in the form of earlier versions, so that a test can change them with plain SQL. Afterwards, the
 * names of these tables mean the tables themselves on this connection.
 */
export function unpack(db: Database.Database): void {
  presentPacked(db);
  db.exec(`
    PRAGMA foreign_keys = OFF;
    CREATE TEMP TABLE entries_before AS SELECT ${ENTRY_COLUMNS} FROM log_entries;
    CREATE TEMP TABLE submissions_before AS SELECT ${SUBMISSION_COLUMNS} FROM submissions;
    DROP VIEW temp.log_entries;
    DROP VIEW temp.submissions;
    BEGIN;
    DELETE FROM packed_submissions;
    DELETE FROM packed_entries;
    DELETE FROM submissions;
    DELETE FROM log_entries;
    INSERT INTO log_entries (${ENTRY_COLUMNS}) SELECT ${ENTRY_COLUMNS} FROM entries_before;
    INSERT INTO submissions (${SUBMISSION_COLUMNS}) SELECT ${SUBMISSION_COLUMNS} FROM submissions_before;
    UPDATE operators SET logged_bytes = 0;
    COMMIT;
    DROP TABLE entries_before;
    DROP TABLE submissions_before;`);
}

const IS_ABOUT_LOG = /\b(?:log_entries|submissions)\b/;

/** Runs SQL that may change log entries, submissions and daily counts. */
export function change(db: Database.Database, sql: string): void {
  if (IS_ABOUT_LOG.test(sql)) unpack(db);
  editCounts(db, sql);
}
