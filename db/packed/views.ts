/**
 * The log and the submissions as readers see them, wherever a row is stored: temporary views with the names and
 * columns of the tables of earlier versions. A database of an earlier version is read without them.
 */
import { createHash } from 'node:crypto';
import type { Database } from 'better-sqlite3';
import { GENESIS_HASH } from '#core/domain/log/log-entry.ts';
import { restoredAnswer } from './answers.ts';
import { contentOf, restoredPayload } from './payload-forms.ts';
import { uuidBytes, uuidText } from './uuid-bytes.ts';

/** Milliseconds and days since 1970 as text. */
const INSTANT = (ms: string) => `strftime('%Y-%m-%dT%H:%M:%fZ', ${ms} / 1000.0, 'unixepoch')`;
/** Null stays null, of which SQLite makes an empty text. */
const HEX = (blob: string) => `nullif(lower(hex(${blob})), '')`;
const DAY = (days: string) => `date(${days} * 86400, 'unixepoch')`;

/** The casts give all columns the types of the other table, without which SQLite cannot use its indexes. */
const LOG = `
  SELECT log_index,
    CAST(coalesce(kind, 'snapshot') AS TEXT) AS kind,
    CAST(CASE log_index WHEN 1 THEN '${GENESIS_HASH}' ELSE coalesce(
      (SELECT ${HEX('entry_hash')} FROM main.packed_entries p WHERE p.log_index = e.log_index - 1),
      (SELECT entry_hash FROM main.log_entries p WHERE p.log_index = e.log_index - 1), '') END AS TEXT) AS previous,
    CAST(${INSTANT('received_at')} AS TEXT) AS received_at,
    CAST(${HEX('payload_digest')} AS TEXT) AS payload_digest,
    CAST(${HEX('entry_hash')} AS TEXT) AS entry_hash,
    operator_id, salt,
    CAST(CASE form WHEN 0 THEN payload ELSE restored_payload(form, payload,
      (SELECT text FROM main.words w WHERE w.id = e.mark),
      (SELECT body FROM main.dictionaries d WHERE d.id = e.form / 4)) END AS BLOB) AS payload
  FROM main.packed_entries e
  UNION ALL
  SELECT log_index, kind, previous, received_at, payload_digest, entry_hash, operator_id, salt, payload
  FROM main.log_entries`;

const WORD = (place: number) => `(SELECT text ->> ${place} FROM main.words w WHERE w.id = s.words)`;
const ENTRY = (column: string) =>
  `(SELECT ${column} FROM main.packed_entries e WHERE e.log_index = s.log_index)`;

const ANSWER = `restored_answer(uuid_text(id), uuid_text(submission_id), log_index, records, signature,
  ${WORD(4)}, ${WORD(5)}, ${ENTRY(HEX('entry_hash'))}, ${ENTRY(INSTANT('received_at'))},
  ${ENTRY(HEX('salt'))}, (SELECT previous FROM log_entries e WHERE e.log_index = s.log_index))`;

const PAYLOAD_HASH = `(SELECT content_hash(form, payload, (SELECT body FROM main.dictionaries d WHERE d.id = e.form / 4))
  FROM main.packed_entries e WHERE e.log_index = s.log_index)`;

const SUBMISSIONS = (hasCovers: boolean) => `
  SELECT log_index, CAST(uuid_text(id) AS TEXT) AS id, operator_id, device_id,
    CAST(${WORD(0)} AS TEXT) AS keyid,
    CAST(uuid_text(submission_id) AS TEXT) AS submission_id,
    CAST(${HEX('idempotency_key_hash')} AS TEXT) AS idempotency_key_hash,
    CAST(coalesce(${HEX('payload_hash')}, ${PAYLOAD_HASH}) AS TEXT) AS payload_hash,
    CAST(${WORD(1)} AS TEXT) AS collector_name,
    CAST(${WORD(2)} AS TEXT) AS collector_version,
    records, days, CAST(${DAY('first_day')} AS TEXT) AS first_day, CAST(${DAY('last_day')} AS TEXT) AS last_day,
    CAST(${WORD(3)} AS TEXT) AS tools,
    CAST(${hasCovers ? DAY('covers_from') : 'NULL'} AS TEXT) AS covers_from,
    CAST(${hasCovers ? DAY('covers_to') : 'NULL'} AS TEXT) AS covers_to,
    CAST(coalesce(decided, 'accepted') AS TEXT) AS state,
    CAST(coalesce(answer, ${ANSWER}) AS TEXT) AS answer
  FROM main.packed_submissions s
  UNION ALL
  SELECT log_index, id, operator_id, device_id, keyid, submission_id, idempotency_key_hash, payload_hash,
    collector_name, collector_version, records, days, first_day, last_day, tools,
    CAST(NULL AS TEXT), CAST(NULL AS TEXT), state, answer
  FROM main.submissions`;

/** A condition on `submissions`: those with the ID `@id`. */
export const HAS_ID = `log_index = coalesce(
  (SELECT log_index FROM packed_submissions WHERE id = uuid_bytes(@id)),
  (SELECT log_index FROM main.submissions WHERE id = @id))`;

/** A condition on `submissions` that is true for all states but `accepted`, and uses the indexes of these few rows. */
export const DECIDED = `log_index IN (
  SELECT log_index FROM packed_submissions WHERE decided IS NOT NULL
  UNION ALL SELECT log_index FROM main.submissions WHERE state <> 'accepted')`;

/** Lets a connection read the log and the submissions. */
export function presentPacked(db: Database): void {
  const isPacked = db.prepare(`SELECT 1 FROM main.sqlite_schema WHERE name = 'packed_entries'`);
  if (!isPacked.get()) return;
  defineFunctions(db);
  const columns = db.pragma('main.table_info(packed_submissions)') as { name: string }[];
  const submissions = SUBMISSIONS(columns.some(({ name }) => name === 'covers_to'));
  db.exec(`CREATE TEMP VIEW log_entries AS ${LOG}; CREATE TEMP VIEW submissions AS ${submissions}`);
}

/** Runs a command that would take the views for the tables of these names. Statements work again afterwards. */
export function withoutViews(db: Database, work: () => void): void {
  db.exec('DROP VIEW temp.log_entries; DROP VIEW temp.submissions');
  try {
    work();
  } finally {
    presentPacked(db);
  }
}

function defineFunctions(db: Database): void {
  const define = (name: string, work: (...values: never[]) => unknown) =>
    db.function(name, { deterministic: true, varargs: true }, work as () => unknown);
  define('uuid_text', (stored: Uint8Array | string | null) => stored && uuidText(stored));
  define('uuid_bytes', (text: string) => uuidBytes(text));
  define(
    'restored_payload',
    (form: number, payload: Buffer | null, keyid, dictionary) =>
      payload && restoredPayload({ form, payload, keyid, dictionary }),
  );
  define('content_hash', (form: number, payload: Buffer | null, dictionary) => {
    if (!payload) return null;
    const content = contentOf({ form, payload, dictionary });
    return createHash('sha256').update(content).digest('hex');
  });
  define(
    'restored_answer',
    (
      id,
      submission_id,
      log_index,
      records,
      signature,
      ruleset,
      keyid,
      entry_hash,
      received_at,
      salt,
      previous,
    ) => {
      const facts = { id, submission_id, log_index, records, signature, ruleset, keyid };
      if (signature === null || salt === null) return null;
      return restoredAnswer({ ...facts, entry_hash, received_at, salt, previous });
    },
  );
}
