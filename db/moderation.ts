import type { Database } from 'better-sqlite3';
import type { SubmissionState } from '#core/schema/submission.ts';
import { DECIDED, HAS_ID } from './packed/views.ts';
import { statementsIn } from './statements.ts';

/** A submission that does not count, and the log entry with that decision. */
interface DecidedSubmission {
  id: string;
  operator_id: number;
  state: Extract<SubmissionState, 'held' | 'rejected'>;
  received_at: string;
  payload: string;
  /** The log index of the decision. */
  decided_at: number;
}

export interface StateEntry {
  log_index: number;
  kind: 'hold' | 'reject' | 'release' | 'restore' | 'revoke' | 'withdraw';
  place: number;
}

/** What checks and admins exclude from the board. */
export function moderationIn(db: Database) {
  const sql = statementsIn(db);
  // The last of several entries about a submission decides. The kind is compared first, so that long snapshots are not
  // parsed.
  const decidedWhere = (condition: string) => `
    SELECT d.id, d.state, d.operator_id, e.received_at, CAST(e.payload AS TEXT) AS payload, d.decided_at
    FROM (
      SELECT s.id, s.state, s.operator_id, (
        SELECT e.log_index FROM log_entries e
        WHERE e.operator_id = s.operator_id
          AND e.kind IN ('hold', 'reject') AND e.kind = CASE s.state WHEN 'held' THEN 'hold' ELSE 'reject' END
          AND CAST(e.payload AS TEXT) ->> 'submission' = s.id
        ORDER BY e.log_index DESC LIMIT 1) AS decided_at
      FROM submissions s WHERE ${condition}
    ) d JOIN log_entries e ON e.log_index = d.decided_at ORDER BY d.decided_at DESC`;
  const restored = sql.values<(of: object) => number[]>(`
    SELECT CAST(payload AS TEXT) ->> 'log_index' FROM log_entries
    WHERE operator_id = @operator_id AND log_index > @after AND kind = 'restore'`);

  return {
    counts: sql.get<() => { held_submissions: number; hidden_operators: number }>(`
      SELECT (SELECT count(*) FROM submissions
          WHERE state = 'held' AND ${DECIDED}) AS held_submissions,
        (SELECT count(*) FROM operators WHERE hidden_at IS NOT NULL) AS hidden_operators`),
    /** An operator's submissions that are on hold or rejected, the most recently decided first. */
    decided: sql.all<(operator_id: number, limit: number) => DecidedSubmission[]>(`
      ${decidedWhere("s.operator_id = @operator_id AND s.state IN ('held', 'rejected')")} LIMIT @limit`),
    /** Why a submission does not count; undefined if nothing was decided, or it counts. */
    decision: sql.get<(id: string) => DecidedSubmission | undefined>(
      decidedWhere(`s.${HAS_ID} AND s.state IN ('held', 'rejected')`),
    ),
    /** All submissions on hold, the most recently held first. */
    held: sql.all<() => DecidedSubmission[]>(decidedWhere(`s.state = 'held' AND s.${DECIDED}`)),
    /** The log entries between two others that put submissions on hold, oldest first. */
    holdsBetween: sql.all<(after: number, last: number) => Pick<DecidedSubmission, 'payload'>[]>(`
      SELECT CAST(payload AS TEXT) AS payload, log_index FROM log_entries
      WHERE log_index > ? AND log_index <= ? AND kind = 'hold' AND salt IS NOT NULL
      ORDER BY log_index`),
    /** The log indexes of submissions that were restored after an entry. */
    restored: (operator_id: number, after: number) => new Set(restored({ operator_id, after })),
    /** All decisions about single submissions of an operator, oldest first. */
    stateEntries: sql.all<(operator_id: number) => StateEntry[]>(`
      SELECT log_index, kind, CAST(payload AS TEXT) ->> 'log_index' AS place FROM log_entries
      WHERE operator_id = ? AND kind IN ('hold', 'release', 'reject', 'restore', 'withdraw')
      ORDER BY log_index`),
    /** The entries in which an operator marked a device as compromised, oldest first. */
    compromised: sql.all<(operator_id: number) => { log_index: number; device: string }[]>(`
      SELECT log_index, CAST(payload AS TEXT) ->> 'device' AS device FROM log_entries
      WHERE operator_id = ? AND kind = 'revoke' AND CAST(payload AS TEXT) ->> 'reason' = 'compromised'
      ORDER BY log_index`),
    /** The log indexes of submissions by an operator's devices before an entry, and the keys that signed them. */
    signedBefore: sql.all<
      (operator_id: number, log_index: number) => { place: number; keyid: string }[]
    >(`
      SELECT log_index AS place, keyid FROM submissions
      WHERE operator_id = ? AND log_index < ? AND keyid IS NOT NULL`),
  };
}
