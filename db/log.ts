import { randomBytes } from 'node:crypto';
import type { Database } from 'better-sqlite3';
import {
  GENESIS_HASH,
  type LogEntryHead,
  SALT_BYTES,
  entryHash,
  payloadDigest,
} from '#core/domain/log/log-entry.ts';
import { TILE_WIDTH } from '#core/domain/tlog/tile.ts';
import type { LogEntry, LogKind } from '#core/schema/log.ts';
import { type EntryRow, type PackedEntry, packedRowsIn } from './packed/packed-rows.ts';
import { sha256 } from './sha256.ts';
import { statementsIn } from './statements.ts';
import { tilesIn } from './tiles.ts';

/** An entry. Salt and payload are null once it was erased. */
export type LogEntryRow = EntryRow;

/** The part of an entry that its text contains. */
export type LogLeaf = LogEntryHead & { payload_digest: string };

interface NewLogEntry {
  kind: LogKind;
  /** The account it belongs to, whose deletion erases it; null for the board's own entries. */
  operator_id: number | null;
  /** A value that is stored as the bytes of its JSON. */
  payload: object;
  now: Date;
}

/** The part of an entry that its text does not contain. */
type EntryContents = Pick<LogEntryRow, 'operator_id' | 'payload' | 'salt'>;

const LOST: EntryContents = { operator_id: null, salt: null, payload: null };

export type AppendedEntry = LogEntryRow & {
  salt: Uint8Array;
  payload: Uint8Array;
  packed: PackedEntry;
};

/** The append-only log. Its only write function chains each entry to the one before. */
export function logIn(db: Database) {
  const sql = statementsIn(db);
  const rows = packedRowsIn(db);
  const tiles = tilesIn(db);
  const selectHead = sql.get<
    () => (Pick<LogEntryHead, 'index' | 'received_at'> & { entry_hash: string }) | undefined
  >(`
    SELECT log_index AS "index", received_at, entry_hash
    FROM log_entries ORDER BY log_index DESC LIMIT 1`);
  // For operators who are not public, only the hashes are shown. With a salt, anyone could guess the content.
  const after = sql.all<(log_index: unknown, limit: unknown) => LogEntry[]>(`
    SELECT log_index, kind, previous, received_at, payload_digest, entry_hash,
      CASE WHEN is_open THEN nullif(lower(hex(salt)), '') END AS salt,
      CASE WHEN is_open AND kind <> 'snapshot' THEN
        (SELECT CAST(payload AS TEXT) FROM log_entries p WHERE p.log_index = e.log_index) END AS payload,
      CASE WHEN is_open THEN
        (SELECT id FROM submissions s WHERE s.log_index = e.log_index) END AS submission
    FROM (
      SELECT log_index, kind, previous, received_at, payload_digest, entry_hash, salt,
        coalesce((SELECT is_open FROM operators WHERE id = operator_id), 1) AS is_open
      FROM log_entries WHERE log_index > ? ORDER BY log_index LIMIT ?
    ) e ORDER BY log_index`);
  const head = () => selectHead();
  const insert = (row: LogEntryRow, value?: object) => {
    const packed = rows.addEntry(row, value);
    if (row.log_index % TILE_WIDTH === 0) tiles.storeNext();
    return packed;
  };

  const appendAgain = (
    { index: log_index, kind, previous, received_at, payload_digest }: LogLeaf,
    contents: EntryContents,
  ) => {
    const before = head();
    const isNext = log_index === (before?.index ?? 0) + 1;
    if (!isNext || previous !== (before?.entry_hash ?? GENESIS_HASH)) return null;
    const line = { index: log_index, kind, previous, received_at };
    const entry_hash = entryHash(line, payload_digest, sha256);
    const row = { log_index, kind, previous, received_at, payload_digest, entry_hash, ...contents };
    return { ...row, packed: insert(row) };
  };

  return {
    /**
     * Appends an entry. Call it inside the transaction of the change that the entry records. An entry's instant is
     * never before that of the previous entry, even if the clock was set back, because entries are searched by time.
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
      return { ...row, packed: insert(row, value) };
    },
    /**
     * Appends an entry whose contents are lost, so that it belongs to nobody. Call it inside a transaction.
     *
     * @returns Whether it continues the log. If not, nothing was appended.
     */
    appendLost: (leaf: LogLeaf): boolean => appendAgain(leaf, LOST) !== null,
    /**
     * Appends an entry as it was before, with what its digest covers. Call it inside a transaction.
     *
     * @returns Null if it does not continue the log. Then nothing was appended.
     */
    appendAgain: (leaf: LogLeaf, contents: EntryContents) => appendAgain(leaf, contents),
    head,
    at: sql.get<(log_index: number) => LogEntryRow | undefined>(`
      SELECT * FROM log_entries WHERE log_index = ?`),
    bytesOf: sql.value<(operator_id: number) => number>(`
      SELECT logged_bytes + (
        SELECT coalesce(sum(length(payload)), 0) FROM main.log_entries WHERE operator_id = @operator_id)
      FROM operators WHERE id = @operator_id`),
    operatorsUntil: sql.values<(log_index: number) => (number | null)[]>(`
      SELECT DISTINCT operator_id FROM log_entries WHERE log_index <= ?`),
    /** The last entry of a kind whose payload was not erased or lost. */
    lastOfKind: sql.get<(kind: LogKind) => LogEntryRow | undefined>(`
      SELECT * FROM log_entries WHERE kind = ? AND payload IS NOT NULL
      ORDER BY log_index DESC LIMIT 1`),
    /** Such entries of a kind after an index, oldest first. Scans all entries after it. */
    ofKind: sql.all<(kind: LogKind, after: number) => LogEntryRow[]>(`
      SELECT * FROM log_entries WHERE kind = ? AND log_index > ? AND payload IS NOT NULL
      ORDER BY log_index`),
    /** Entries after an index, oldest first, in their public form. */
    after: (log_index: number, limit: number) => after(log_index, limit),
  };
}

function laterOf(now: string, before: string | undefined): string {
  return before !== undefined && before > now ? before : now;
}
