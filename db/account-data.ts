import type { Database } from 'better-sqlite3';
import type { LogKind } from '#core/schema/log.ts';
import type { RevokedReason } from '#core/schema/operator.ts';
import type { SubmissionState, Trust } from '#core/schema/submission.ts';
import type { CountedBucket } from '#core/domain/counting/counting.ts';
import {
  BY_KEY,
  COUNTS,
  type CountsRow,
  endsOf,
  EVER,
  IN_PART,
  type PartPlace,
  statedOf,
} from './bucket-rows.ts';
import type { AccountEvent } from '#core/schema/account.ts';
import { statementsIn } from './statements.ts';

/** A stored device, including the one for self-reports. */
interface StoredDevice {
  id: number;
  public_id: string;
  trust: Trust;
  installation_id: string | null;
  label: string;
  created_at: string;
  /** The public ID of the device that replaced it; null if none did. */
  replaced_by: string | null;
  replaced_at: string | null;
}

export interface StoredKey {
  keyid: string;
  public_key: Uint8Array;
  enrolled_at: string;
  revoked_at: string | null;
  revoked_reason: RevokedReason | null;
}

interface StoredEntry {
  log_index: number;
  kind: LogKind;
  received_at: string;
  payload: string | null;
}

export interface StoredSubmission {
  log_index: number;
  id: string;
  submission_id: string;
  state: SubmissionState;
  received_at: string;
  payload: string | null;
}

/** A daily count as a device last stated it, and how much of it counts. */
export type StoredBucket = Omit<CountedBucket, 'trust'> & PartPlace & { device: string };
type StoredBucketRow = Omit<StoredBucket, keyof CountsRow | 'counted'> & CountsRow;

/** Everything that is stored about one account, for its owner. */
export function accountDataIn(db: Database) {
  const sql = statementsIn(db);
  const buckets = sql.all<(of: object) => StoredBucketRow[]>(`
    SELECT day, ${BY_KEY}, tool, provider, model, log_index, ${COUNTS},
      (SELECT public_id FROM devices WHERE id = device_id) AS device
    FROM buckets WHERE ${IN_PART} ORDER BY ${BY_KEY} LIMIT @limit`);

  return {
    devices: sql.all<(operator_id: number) => StoredDevice[]>(`
      SELECT id, public_id, trust, installation_id, label, created_at, replaced_at,
        (SELECT public_id FROM devices n WHERE n.id = d.replaced_by) AS replaced_by
      FROM devices d WHERE operator_id = ? ORDER BY created_at, id`),
    keys: sql.all<(device_id: number) => StoredKey[]>(`
      SELECT keyid, public_key, enrolled_at, revoked_at, revoked_reason FROM device_keys
      WHERE device_id = ? ORDER BY enrolled_at, keyid`),
    entries: sql.all<(operator_id: number, after: number, limit: number) => StoredEntry[]>(`
      SELECT log_index, kind, received_at, CAST(payload AS TEXT) AS payload FROM log_entries
      WHERE operator_id = @operator_id AND log_index > @after AND kind <> 'snapshot'
      ORDER BY log_index LIMIT @limit`),
    /** The first submission after a log index. Submissions are large, so read one at a time. */
    submission: sql.get<(operator_id: number, after: number) => StoredSubmission | undefined>(`
      SELECT log_index, id, submission_id, state,
        (SELECT received_at FROM log_entries e WHERE e.log_index = s.log_index) AS received_at,
        (SELECT CAST(payload AS TEXT) FROM log_entries e WHERE e.log_index = s.log_index) AS payload
      FROM submissions s
      WHERE operator_id = @operator_id AND log_index > @after ORDER BY log_index LIMIT 1`),
    /** The daily counts after a place, by day. */
    buckets: (operator_id: number, after: PartPlace | null, limit: number): StoredBucket[] =>
      buckets({ ...endsOf({ operator_id, ...EVER, after }), limit }).map(statedOf),
  };
}

export function accountEventsIn(db: Database) {
  const sql = statementsIn(db);
  const insert = sql.run<(of: object) => void>(`
    INSERT INTO account_events (operator_id, kind, detail, created_at)
    VALUES (@operator_id, @kind, @detail, @created_at)`);
  const prune = sql.run<(of: object) => void>(`
    DELETE FROM account_events WHERE operator_id = @operator_id AND id NOT IN (
      SELECT id FROM (
        SELECT id, row_number() OVER (PARTITION BY CASE
          WHEN kind = 'signed_in' THEN 1
          WHEN kind IN ('submission_restored', 'submission_withdrawn') THEN 2
          END ORDER BY id DESC) AS place
        FROM account_events WHERE operator_id = @operator_id)
      WHERE place <= 50)`);

  return {
    /** Adds an event. An account's last 50 sign-ins, 50 changes of its own submissions and 50 other events are kept. */
    add(event: AccountEvent & { operator_id: number }) {
      insert(event);
      prune({ operator_id: event.operator_id });
    },
    ofOperator: sql.all<(operator_id: number) => AccountEvent[]>(`
      SELECT kind, detail, created_at FROM account_events
      WHERE operator_id = ? ORDER BY id DESC`),
  };
}
