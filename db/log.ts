import { createHash, randomBytes } from 'node:crypto';
import type { Database } from 'better-sqlite3';
import {
  GENESIS_HASH,
  type LogEntryHead,
  SALT_BYTES,
  entryHash,
  payloadDigest,
} from '#core/domain/log/log-entry.ts';
import type { Sha256 } from '#core/domain/signing/dsse.ts';
import type { LogEntry, LogKind } from '#core/schema/log.ts';

export interface LogEntryRow {
  log_index: number;
  kind: LogKind;
  previous: string;
  received_at: string;
  payload_digest: string;
  entry_hash: string;
  operator_id: number | null;
  /** Null, as the payload is, once the entry was erased. */
  salt: Uint8Array | null;
  payload: Uint8Array | null;
}

interface NewLogEntry {
  kind: LogKind;
  /** The account it belongs to, whose deletion erases it; null for the board's own. */
  operator_id: number | null;
  /** A value that is kept as the bytes of its JSON. */
  payload: object;
  now: Date;
}

export type AppendedEntry = LogEntryRow & { salt: Uint8Array; payload: Uint8Array };

const sha256: Sha256 = (data) => createHash('sha256').update(data).digest();

/** The append-only log: the only way in chains an entry to the one before. */
export function logIn(db: Database) {
  const insert = db.prepare(
    `INSERT INTO log_entries (log_index, kind, previous, received_at, payload_digest, entry_hash,
       operator_id, salt, payload)
     VALUES (@log_index, @kind, @previous, @received_at, @payload_digest, @entry_hash,
       @operator_id, @salt, @payload)`,
  );
  const selectHead = db.prepare(
    `SELECT log_index AS "index", received_at, entry_hash
     FROM log_entries ORDER BY log_index DESC LIMIT 1`,
  );
  const at = db.prepare('SELECT * FROM log_entries WHERE log_index = ?');
  const lastOfKind = db.prepare(
    'SELECT * FROM log_entries WHERE kind = ? ORDER BY log_index DESC LIMIT 1',
  );
  const ofKind = db.prepare(
    'SELECT * FROM log_entries WHERE kind = ? AND log_index > ? ORDER BY log_index',
  );
  // Of who is not open the chain shows the hashes only: a salt would let anyone try what they cover.
  const after = db.prepare(
    `SELECT log_index, kind, previous, received_at, payload_digest, entry_hash,
       CASE WHEN is_open THEN nullif(lower(hex(salt)), '') END AS salt,
       CASE WHEN is_open AND kind <> 'snapshot' THEN CAST(payload AS TEXT) END AS payload,
       CASE WHEN is_open THEN
         (SELECT id FROM submissions s WHERE s.log_index = e.log_index) END AS submission
     FROM (
       SELECT *, coalesce((SELECT is_open FROM operators WHERE id = operator_id), 1) AS is_open
       FROM log_entries WHERE log_index > ? ORDER BY log_index LIMIT ?
     ) e ORDER BY log_index`,
  );
  const bytesOf = db
    .prepare('SELECT coalesce(sum(length(payload)), 0) FROM log_entries WHERE operator_id = ?')
    .pluck();
  const operatorsUntil = db
    .prepare('SELECT DISTINCT operator_id FROM log_entries WHERE log_index <= ?')
    .pluck();
  const head = () =>
    selectHead.get() as
      (Pick<LogEntryHead, 'index' | 'received_at'> & { entry_hash: string }) | undefined;

  return {
    /**
     * Appends an entry. Call it inside the transaction of what the entry tells. Its instant is never
     * before that of the entry before it, even if the clock was set back: what came in until when is
     * found by that.
     */
    append({ kind, operator_id, payload: value, now }: NewLogEntry): AppendedEntry {
      const before = head();
      const log_index = (before?.index ?? 0) + 1;
      const previous = before?.entry_hash ?? GENESIS_HASH;
      const received_at = laterOf(now.toISOString(), before?.received_at);
      const salt = randomBytes(SALT_BYTES);
      const payload = Buffer.from(JSON.stringify(value));
      const payload_digest = payloadDigest(salt, payload, sha256);
      const line = { index: log_index, kind, previous, received_at };
      const entry_hash = entryHash(line, payload_digest, sha256);
      const chained = { log_index, kind, previous, received_at, payload_digest, entry_hash };
      const row = { ...chained, operator_id, salt, payload };
      insert.run(row);
      return row;
    },
    head,
    at: (log_index: number) => at.get(log_index) as LogEntryRow | undefined,
    bytesOf: (operator_id: number) => bytesOf.get(operator_id) as number,
    operatorsUntil: (log_index: number) => operatorsUntil.all(log_index) as (number | null)[],
    lastOfKind: (kind: LogKind) => lastOfKind.get(kind) as LogEntryRow | undefined,
    /** Entries of a kind after an index, oldest first; it looks at all that came since. */
    ofKind: (kind: LogKind, after: number) => ofKind.all(kind, after) as LogEntryRow[],
    /** Entries after an index, oldest first, as the wire shows them to everybody. */
    after: (log_index: number, limit: number) => after.all(log_index, limit) as LogEntry[],
  };
}

function laterOf(now: string, before: string | undefined): string {
  return before !== undefined && before > now ? before : now;
}
