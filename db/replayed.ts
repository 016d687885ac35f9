import type { Database } from 'better-sqlite3';
import { type BucketRow, statedOf } from './bucket-rows.ts';
import { closedAccounts } from './engine/erasure.ts';
import type { LogEntryRow } from './log.ts';
import type { NewSubmission } from './submissions.ts';
import type { CountedBucket } from '#core/domain/counting/counting.ts';
import type { PrivacyMode } from '#core/schema/record.ts';
import type { SubmissionState, Trust } from '#core/schema/submission.ts';
import { statementsIn } from './statements.ts';
import { usageBlockChecksIn } from './usage-blocks.ts';

/** An operator's log entry. The payload is null once it was erased. */
export type OwnEntry = Omit<LogEntryRow, 'operator_id' | 'payload_digest'>;

/** A submission as the table stores it, and its device. Facts that an earlier version did not store are left out. */
export interface ReplayedSubmission extends Partial<
  Pick<NewSubmission, 'covers_from' | 'covers_to' | 'days' | 'first_day' | 'last_day' | 'tools'>
> {
  log_index: number;
  id: string;
  keyid: string | null;
  submission_id: string;
  payload_hash: string;
  collector_name: string | null;
  collector_version: string | null;
  records: number;
  answer: string;
  state: SubmissionState;
  device_id: number;
  device: string;
  trust: Trust;
}

export interface ReplayedKey {
  keyid: string;
  device: string;
  public_key: Uint8Array;
  is_revoked: 0 | 1;
}

export type ReplayedBucket = CountedBucket & { device: string };

/** An operator's visibility as the table stores it. An earlier version did not store all of it. */
export interface StoredView {
  codename: string;
  privacy_mode: PrivacyMode;
  data_opt_out: 0 | 1;
  public_name?: string | null;
  is_open?: 0 | 1;
  hidden_at?: string | null;
}

/** The data that is compared with a replay of the log, by operator. Reads only what databases of every version have. */
export function replayedIn(db: Database) {
  const sql = statementsIn(db);
  const buckets = sql.all<(operator_id: number) => (BucketRow & { device: string })[]>(`
    SELECT b.*, d.public_id AS device, d.trust
    FROM buckets b LEFT JOIN devices d ON d.id = b.device_id WHERE b.operator_id = ?`);
  const columns = db.pragma('table_info(devices)') as { name: string }[];
  const isReplaceable = columns.some(({ name }) => name === 'replaced_by');
  const replaced = isReplaceable
    ? sql.all<(operator_id: number) => { device: string; by: string }[]>(`
        SELECT d.public_id AS device, n.public_id AS by
        FROM devices d JOIN devices n ON n.id = d.replaced_by WHERE d.operator_id = ?`)
    : () => [];
  const isPacked = (db.pragma('table_info(usage_blocks)') as unknown[]).length > 0;
  const places = sql.values<(first: number, last: number) => number[]>(`
    SELECT log_index FROM log_entries
    WHERE operator_id BETWEEN ? AND ? OR operator_id IS NULL ORDER BY log_index`);
  const at = sql.get<(place: unknown) => LogEntryRow>(`
    SELECT * FROM log_entries WHERE log_index = ?`);

  return {
    /** An operator's entries in log order, one at a time. */
    entries: sql.iterate<(operator_id: number) => IterableIterator<OwnEntry>>(`
      SELECT log_index, kind, previous, received_at, entry_hash, salt, payload FROM log_entries
      WHERE operator_id = ? ORDER BY log_index`),
    submissions: sql.all<(operator_id: number) => ReplayedSubmission[]>(`
      SELECT s.*, d.public_id AS device, d.trust
      FROM submissions s JOIN devices d ON d.id = s.device_id AND d.operator_id = s.operator_id
      WHERE s.operator_id = ? ORDER BY s.log_index`),
    /** The months whose packed counts differ from the daily counts; none in an earlier version, which packs nothing. */
    wrongMonths: isPacked ? usageBlockChecksIn(db) : () => [],
    buckets: (operator_id: number): ReplayedBucket[] => buckets(operator_id).map(statedOf),
    keys: sql.all<(operator_id: number) => ReplayedKey[]>(`
      SELECT k.keyid, d.public_id AS device, k.public_key, k.revoked_at IS NOT NULL AS is_revoked
      FROM devices d JOIN device_keys k ON k.device_id = d.id WHERE d.operator_id = ? ORDER BY k.keyid`),
    /** Devices that others replaced; none in an earlier version. */
    replaced,
    view: sql.get<(operator_id: number) => StoredView | undefined>(`
      SELECT * FROM operators WHERE id = ?`),
    /**
     * The log indexes of submissions that are not in the log as such, or whose device does not belong to their
     * operator.
     */
    strays: sql.values<() => number[]>(`
      SELECT s.log_index FROM submissions s
      WHERE (NOT EXISTS (SELECT 1 FROM log_entries e WHERE e.log_index = s.log_index
          AND e.kind = 'snapshot' AND e.operator_id = s.operator_id AND e.salt IS NOT NULL)
        OR NOT EXISTS (SELECT 1 FROM devices d WHERE d.id = s.device_id AND d.operator_id = s.operator_id))
        AND s.operator_id NOT IN (${closedAccounts(db)})
      ORDER BY s.log_index`),
    /** The log indexes of entries that must belong to an operator, but do not. */
    unowned: sql.values<() => number[]>(`
      SELECT log_index FROM log_entries WHERE operator_id IS NULL AND salt IS NOT NULL
        AND kind NOT IN ('board-key', 'log-key', 'ruleset', 'board', 'erase', 'lost') ORDER BY log_index`),
    /** The entries of the operators in a range and those without an operator, in log order, one at a time. */
    *entriesOf(first: number, last: number): Generator<LogEntryRow> {
      for (const place of places(first, last)) yield at(place);
    },
    bucketCounts: sql.tuples<() => [operator_id: number, buckets: number][]>(`
      SELECT operator_id, count(*) FROM buckets GROUP BY operator_id`),
  };
}
