import type { Database } from 'better-sqlite3';
import type { SubmissionState } from '#core/schema/submission.ts';

/** A submission that does not count, and the log entry that decided so. */
export interface DecidedSubmission {
  id: string;
  operator_id: number;
  state: Extract<SubmissionState, 'held' | 'rejected'>;
  /** When that was. */
  received_at: string;
  /** The entry's JSON. */
  payload: string;
}

/** An entry that changed whether a submission counts. */
export interface StateEntry {
  log_index: number;
  kind: 'hold' | 'reject' | 'release' | 'revoke' | 'withdraw';
  /** The submission's place in the log. */
  place: number;
}

/** What checks and keepers keep off the board. */
export function moderationIn(db: Database) {
  // Naming what its index leaves out makes SQLite use that.
  const counts = db.prepare(
    `SELECT (SELECT count(*) FROM submissions
         WHERE state = 'held' AND state <> 'accepted') AS held_submissions,
       (SELECT count(*) FROM operators WHERE hidden_at IS NOT NULL) AS hidden_operators`,
  );
  // Of several such entries about a submission, max() takes the row of the last. The kinds stand first, so
  // that nothing else is parsed: snapshots are long.
  const decidedWhere = (condition: string) => `
    SELECT s.id, s.state, s.operator_id, e.received_at, CAST(e.payload AS TEXT) AS payload,
      max(e.log_index) AS decided_at
    FROM submissions s JOIN log_entries e ON e.operator_id = s.operator_id
    WHERE ${condition}
      AND e.kind IN ('hold', 'reject') AND e.kind = CASE s.state WHEN 'held' THEN 'hold' ELSE 'reject' END
      AND CAST(e.payload AS TEXT) ->> 'submission' = s.id
    GROUP BY s.log_index ORDER BY decided_at DESC`;
  const decided = db.prepare(
    `${decidedWhere("s.operator_id = @operator_id AND s.state IN ('held', 'rejected')")} LIMIT @limit`,
  );
  const decision = db.prepare(decidedWhere("s.id = ? AND s.state IN ('held', 'rejected')"));
  const held = db.prepare(decidedWhere("s.state = 'held' AND s.state <> 'accepted'"));
  const holdsBetween = db.prepare(
    `SELECT CAST(payload AS TEXT) AS payload FROM log_entries
     WHERE log_index > ? AND log_index <= ? AND kind = 'hold' AND payload IS NOT NULL
     ORDER BY log_index`,
  );
  // A device that was called compromised takes all along that it had sent.
  const stateEntries = db.prepare(
    `SELECT log_index, kind, CAST(payload AS TEXT) ->> 'log_index' AS place FROM log_entries
     WHERE operator_id = @operator_id AND kind IN ('hold', 'release', 'reject', 'withdraw')
     UNION ALL
     SELECT e.log_index, e.kind, s.log_index AS place FROM log_entries e
       CROSS JOIN devices d ON d.public_id = CAST(e.payload AS TEXT) ->> 'device'
       CROSS JOIN submissions s ON s.device_id = d.id AND s.log_index < e.log_index
     WHERE e.operator_id = @operator_id AND e.kind = 'revoke'
       AND CAST(e.payload AS TEXT) ->> 'reason' = 'compromised'
     ORDER BY log_index`,
  );

  return {
    /** How many submissions wait for a decision, and how many operators are hidden. */
    counts: () => counts.get() as { held_submissions: number; hidden_operators: number },
    /** An operator's submissions that are held or rejected, those decided last first. */
    decided: (operator_id: number, limit: number) =>
      decided.all({ operator_id, limit }) as DecidedSubmission[],
    /** What keeps a submission from counting; undefined if nothing was decided, or it counts. */
    decision: (id: string) => decision.get(id) as DecidedSubmission | undefined,
    /** All submissions that wait for the keeper, those held last first. */
    held: () => held.all() as DecidedSubmission[],
    /** The log's entries after one, up to another, that hold something, oldest first. */
    holdsBetween: (after: number, last: number) =>
      holdsBetween.all(after, last) as Pick<DecidedSubmission, 'payload'>[],
    /** All that was ever decided about an operator's submissions, oldest first. */
    stateEntries: (operator_id: number) => stateEntries.all({ operator_id }) as StateEntry[],
  };
}
