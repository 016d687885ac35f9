import type { Database } from 'better-sqlite3';
import type { SubmissionState, Trust } from '#core/schema/submission.ts';
import { type PackedEntry, type SubmissionColumns, packedRowsIn } from './packed/packed-rows.ts';
import { HAS_ID } from './packed/views.ts';
import { statementsIn } from './statements.ts';

/** An accepted submission with the answer to its sender. Self-reports have no key and no collector. */
export type NewSubmission = Required<Omit<SubmissionColumns, 'state'>>;

/** A submission as it is shown, with its operator's current name and its log entry. */
export interface SubmissionRow extends Omit<
  NewSubmission,
  'answer' | 'idempotency_key_hash' | 'payload_hash'
> {
  state: SubmissionState;
  codename: string;
  is_open: 0 | 1;
  received_at: string;
  entry_hash: string;
}

type SubmissionPlace = Pick<
  SubmissionRow,
  'device_id' | 'first_day' | 'id' | 'last_day' | 'operator_id' | 'state'
>;

export interface AcceptedRow {
  log_index: number;
  device_id: number;
  /** Null for a submission through a session. */
  keyid: string | null;
  trust: Trust;
  payload: Uint8Array;
}

/** Which submissions a list contains: those of one operator or, if null, those of all public operators. */
export interface SubmissionFilter {
  operator_id: number | null;
  signed: boolean;
}

/** Subqueries, because SQLite is ten times slower for joins with a parameter. */
const ROW = `
  SELECT log_index, id, operator_id, device_id, keyid, submission_id, collector_name,
    collector_version, records, days, first_day, last_day, tools, covers_from, covers_to, state,
    (SELECT codename FROM operators o WHERE o.id = s.operator_id) AS codename,
    (SELECT is_open FROM operators o WHERE o.id = s.operator_id) AS is_open,
    (SELECT received_at FROM log_entries e WHERE e.log_index = s.log_index) AS received_at,
    (SELECT entry_hash FROM log_entries e WHERE e.log_index = s.log_index) AS entry_hash
  FROM submissions s`;

const BEFORE = `log_index < @before AND (@signed = 0 OR keyid IS NOT NULL)
  ORDER BY log_index DESC LIMIT @limit`;

/** A sum over both tables of submissions, each with the condition for self-reports, and those alone. */
const SUMMED = (count: (table: string, isByHand: string, byHand: string) => string) =>
  [
    count(
      'packed_submissions',
      'mark < 0',
      'packed_submissions INDEXED BY packed_submissions_by_hand',
    ),
    count('main.submissions', 'keyid IS NULL', 'main.submissions'),
  ].join(' + ');

type Answered = Pick<NewSubmission, 'answer' | 'payload_hash'>;

type WithdrawnRow = Pick<
  SubmissionRow,
  'first_day' | 'id' | 'last_day' | 'received_at' | 'records'
>;

export function submissionsIn(db: Database) {
  const sql = statementsIn(db);
  const page = sql.all<(of: object) => SubmissionRow[]>(`
    ${ROW} WHERE (SELECT is_open FROM operators o WHERE o.id = s.operator_id) = 1 AND ${BEFORE}`);
  const pageOfOperator = sql.all<(of: object) => SubmissionRow[]>(`
    ${ROW} WHERE operator_id = @operator_id AND ${BEFORE}`);
  // Self-reports and hidden operators are counted separately, because they are few and indexed.
  const total = sql.value<(of: object) => number>(`
    SELECT ${SUMMED(
      (table, isByHand, byHand) => `(SELECT count(*) FROM ${table})
      - CASE WHEN @signed THEN (SELECT count(*) FROM ${byHand} WHERE ${isByHand}) ELSE 0 END
      - (SELECT count(*) FROM operators o CROSS JOIN ${table} s ON s.operator_id = o.id
         WHERE o.is_open = 0 AND (@signed = 0 OR NOT s.${isByHand}))`,
    )}`);
  const totalOfOperator = sql.value<(of: object) => number>(`
    SELECT ${SUMMED(
      (table, isByHand) => `(SELECT count(*) FROM ${table}
        WHERE operator_id = @operator_id AND (@signed = 0 OR NOT ${isByHand}))`,
    )}`);
  const nextAccepted = sql.get<(of: object) => AcceptedRow | undefined>(`
    SELECT log_index, device_id, keyid,
      (SELECT trust FROM devices d WHERE d.id = s.device_id) AS trust,
      (SELECT payload FROM log_entries e WHERE e.log_index = s.log_index) AS payload
    FROM submissions s
    WHERE operator_id = @operator_id AND log_index > @after
      AND (state = 'accepted' OR log_index IN (SELECT value FROM json_each(@others)))
    ORDER BY log_index LIMIT 1`);
  // Without joins and views, which SQLite would prepare again for each submission.
  const indexOfKey = sql.value<(of: object) => number | null>(`
    SELECT coalesce(
      (SELECT log_index FROM packed_submissions
       WHERE submission_id = uuid_bytes(@submission_id) AND mark = (
         SELECT id FROM words WHERE text = @keyid AND operator_id = (
           SELECT operator_id FROM devices WHERE id = (
             SELECT device_id FROM device_keys WHERE keyid = @keyid)))),
      (SELECT log_index FROM main.submissions WHERE keyid = @keyid AND submission_id = @submission_id))`);
  const answered = sql.get<(log_index: number) => Answered | undefined>(`
    SELECT payload_hash, answer FROM submissions WHERE log_index = ?`);
  const rows = packedRowsIn(db);
  const setState = [
    `UPDATE packed_submissions SET decided = nullif(@state, 'accepted')
     WHERE log_index = @log_index AND decided IS NOT nullif(@state, 'accepted')`,
    'UPDATE main.submissions SET state = @state WHERE log_index = @log_index AND state <> @state',
  ].map((text) => sql.run<(of: object) => void>(text));

  return {
    /** Adds the submission of an entry that was appended in the same transaction. */
    add: (row: NewSubmission, entry: PackedEntry) =>
      rows.addSubmission({ ...row, state: 'accepted' }, entry),
    /** The submission of a key with its sender's ID, if there is one. */
    ofKey(keyid: string, submission_id: string): Answered | undefined {
      const log_index = indexOfKey({ keyid, submission_id });
      return log_index === null ? undefined : answered(log_index);
    },
    /** An operator's self-report with an idempotency key, by the key's SHA-256. */
    ofIdempotencyKey: sql.get<(operator_id: number, hash: string) => Answered | undefined>(`
      SELECT payload_hash, answer FROM submissions WHERE log_index = coalesce(
        (SELECT log_index FROM packed_submissions
         WHERE operator_id = @operator_id AND idempotency_key_hash = unhex(@hash)),
        (SELECT log_index FROM main.submissions
         WHERE operator_id = @operator_id AND idempotency_key_hash = @hash))`),
    /** Whether an operator ever submitted anything. */
    hasAny: sql.has<(operator_id: number) => boolean>(`
      SELECT 1 FROM packed_submissions WHERE operator_id = @operator_id
      UNION ALL SELECT 1 FROM main.submissions WHERE operator_id = @operator_id LIMIT 1`),
    byId: sql.get<(id: string) => SubmissionRow | undefined>(`${ROW} WHERE ${HAS_ID}`),
    at: sql.get<(log_index: number) => SubmissionPlace | undefined>(`
      SELECT id, operator_id, device_id, state, first_day, last_day FROM submissions WHERE log_index = ?`),
    page({ operator_id, signed }: SubmissionFilter, before: number, limit: number) {
      const from = { before, limit, signed: Number(signed) };
      return operator_id === null ? page(from) : pageOfOperator({ ...from, operator_id });
    },
    total({ operator_id, signed }: SubmissionFilter) {
      const of = { signed: Number(signed) };
      return operator_id === null ? total(of) : totalOfOperator({ ...of, operator_id });
    },
    /**
     * An operator's first accepted submission after a log index, or one of the given others. They are large, so read
     * one at a time.
     */
    nextAccepted: (operator_id: number, after: number, others: readonly number[] = []) =>
      nextAccepted({ operator_id, after, others: JSON.stringify(others) }),
    /** The withdrawn submissions of an operator or a device, newest first, without those from compromised devices. */
    withdrawn: sql.all<
      (of: { operator_id: number; device_id: number | null; limit: number }) => WithdrawnRow[]
    >(`
      SELECT id, records, first_day, last_day,
        (SELECT received_at FROM log_entries e WHERE e.log_index = s.log_index) AS received_at
      FROM submissions s
      WHERE state = 'withdrawn' AND operator_id = @operator_id
        AND (@device_id IS NULL OR device_id = @device_id)
        AND NOT EXISTS (SELECT 1 FROM device_keys k
          WHERE k.keyid = s.keyid AND k.revoked_reason = 'compromised')
      ORDER BY log_index DESC LIMIT @limit`),
    setState(log_index: number, state: SubmissionState) {
      setState.forEach((set) => set({ log_index, state }));
    },
  };
}
