import type { Database } from 'better-sqlite3';
import type { SubmissionState } from './submissions.ts';

/** A submission that does not count, and the log entry that decided so. */
export interface DecidedSubmission {
  id: string;
  state: Extract<SubmissionState, 'held' | 'rejected'>;
  received_at: string;
  /** The entry's JSON. */
  payload: string;
}

/** What checks and keepers keep off the board. */
export function moderationIn(db: Database) {
  const counts = db.prepare(
    `SELECT (SELECT count(*) FROM submissions WHERE state = 'held') AS held_submissions,
       (SELECT count(*) FROM operators WHERE hidden_at IS NOT NULL) AS hidden_operators`,
  );
  // Of several such entries about a submission, max() takes the row of the last.
  const decided = db.prepare(
    `SELECT s.id, s.state, e.received_at, CAST(e.payload AS TEXT) AS payload, max(e.log_index) AS decided_at
     FROM submissions s JOIN log_entries e ON e.operator_id = s.operator_id
     WHERE s.operator_id = @operator_id AND s.state IN ('held', 'rejected')
       AND e.kind = CASE s.state WHEN 'held' THEN 'hold' ELSE 'reject' END
       AND CAST(e.payload AS TEXT) ->> 'submission' = s.id
     GROUP BY s.log_index ORDER BY decided_at DESC LIMIT @limit`,
  );

  return {
    /** How many submissions wait for a decision, and how many operators are hidden. */
    counts: () => counts.get() as { held_submissions: number; hidden_operators: number },
    /** An operator's submissions that are held or rejected, those decided last first. */
    decided: (operator_id: number, limit: number) =>
      decided.all({ operator_id, limit }) as DecidedSubmission[],
  };
}
