import type { Database } from 'better-sqlite3';
import type { DayVector, StatedNumbers } from '#core/domain/checks/equal-days.ts';
import type { CheckId, Verdict } from '#core/schema/moderation.ts';
import type { Pillars } from '#core/schema/usage.ts';
import type { SubmissionState } from '#core/schema/submission.ts';
import { statementsIn } from './statements.ts';

export interface ChangedOperator {
  id: number;
  log_index: number;
  /** The log entry up to which it was checked; null if it never was. */
  checked: number | null;
}

/** What counts of a day and tool from one submission. */
export interface StatedCounts extends Pillars {
  day: string;
  tool: string;
  log_index: number;
  /** Input and output of daily counts without cache reads. */
  silent_input: number;
  silent_output: number;
}

type StatedVector = StatedNumbers & { place: number };

/** The amounts by day, as JSON, for which an operator is held, with one tool or all (the empty name). */
type HeldLevel = Pick<CheckRow, 'days' | 'tool'>;

export interface CheckRow {
  submission: number;
  check_id: CheckId;
  /** Empty for all tools together. */
  tool: string;
  operator_id: number;
  verdict: Verdict;
  statistic: number;
  threshold: number;
  n: number;
  /** JSON: for each day concerned, the amount that was compared. */
  days: string;
  against: number | null;
  found_at: string;
}

type ReleasedCheck = Pick<CheckRow, 'against' | 'check_id' | 'days' | 'tool'>;

export type ShownCheck = Omit<CheckRow, 'operator_id'> & {
  id: string;
  state: SubmissionState;
};

/** A note about a submission that counts. */
type NoteRow = Omit<CheckRow, 'against' | 'operator_id' | 'submission'> & { codename: string };

/** An operator's usual day with one tool or all (the empty name). */
interface UsualDayRow {
  operator_id: number;
  tool: string;
  ln_total: number;
  ln_yield: number | null;
}

/** Held days whose only fault is an unusual amount. */
const HELD_LEVELS = `SELECT c.tool, c.days
  FROM submission_checks c
  WHERE c.operator_id = ? AND c.check_id = 'day_outlier' AND c.verdict = 'hold'
    AND (SELECT state FROM submissions s WHERE s.log_index = c.submission) = 'held' AND NOT EXISTS (
      SELECT 1 FROM submission_checks o WHERE o.submission = c.submission
        AND o.verdict = 'hold' AND o.check_id <> 'day_outlier')`;

/** The data of the plausibility checks. Writes about an account that was deleted meanwhile are dropped. */
export function checksIn(db: Database) {
  const sql = statementsIn(db);
  const OPERATOR_EXISTS = 'EXISTS (SELECT 1 FROM operators WHERE id = @operator_id)';
  const setChecked = sql.run<(of: object) => void>(`
    INSERT INTO checked_operators (operator_id, log_index)
    SELECT @operator_id, @log_index WHERE ${OPERATOR_EXISTS}
    ON CONFLICT DO UPDATE SET log_index = excluded.log_index`);
  const withVectors = sql.values<(of: object) => number[]>(`
    SELECT operator_id FROM day_vectors
    WHERE vector IN (SELECT value FROM json_each(@vectors)) AND operator_id <> @operator_id
    GROUP BY operator_id ORDER BY count(DISTINCT place) DESC, operator_id LIMIT @limit`);
  const release = sql.run<(of: object) => void>(`
    UPDATE submission_checks SET released_at = @released_at WHERE submission = @submission`);
  const heldAgainst = sql.values<(operator_id: unknown) => number[]>(`
    SELECT DISTINCT against FROM submission_checks
    WHERE operator_id = ? AND against IS NOT NULL AND released_at IS NULL`);
  // SQLite takes the other columns from the row with the largest found_at.
  const notes = sql.all<(of: object) => NoteRow[]>(`
    SELECT c.check_id, c.tool, c.verdict, c.statistic, c.threshold, c.n, c.days,
      max(c.found_at) AS found_at, o.codename
    FROM submission_checks c JOIN operators o ON o.id = c.operator_id
    WHERE c.verdict = 'note' AND c.found_at > @since
      AND (SELECT state FROM submissions s WHERE s.log_index = c.submission) = 'accepted'
    GROUP BY c.operator_id, c.check_id, c.tool ORDER BY found_at DESC, c.operator_id LIMIT @limit`);

  return {
    /** Operators with log entries after an entry, in log order. They must be checked. */
    changed: sql.all<(after: number) => ChangedOperator[]>(`
      SELECT o.id, o.log_index, c.log_index AS checked
      FROM operators o LEFT JOIN checked_operators c ON c.operator_id = o.id
      WHERE o.log_index > @after AND o.log_index > coalesce(c.log_index, 0) ORDER BY o.log_index`),
    setChecked: (operator_id: number, log_index: number) => setChecked({ operator_id, log_index }),
    days: sql.all<(operator_id: number) => StatedCounts[]>(`
      SELECT day, tool, log_index, sum(input) AS input, sum(output) AS output,
        sum(cache_write) AS cache_write, sum(cache_read) AS cache_read,
        sum(iif(cache_read IS NULL, input, 0)) AS silent_input,
        sum(iif(cache_read IS NULL, output, 0)) AS silent_output
      FROM buckets WHERE operator_id = ? AND counts = 1
      GROUP BY day, tool, log_index ORDER BY day`),
    usualDays: sql.all<() => UsualDayRow[]>(`
      SELECT operator_id, tool, ln_total, ln_yield FROM usual_days`),
    forgetUsual: sql.run<(operator_id: number) => void>(`
      DELETE FROM usual_days WHERE operator_id = ?`),
    addUsual: sql.run<(row: UsualDayRow) => void>(`
      INSERT INTO usual_days (operator_id, tool, ln_total, ln_yield)
      SELECT @operator_id, @tool, @ln_total, @ln_yield WHERE ${OPERATOR_EXISTS}`),
    putVector: sql.run<(row: DayVector & StatedNumbers & { operator_id: number }) => void>(`
      INSERT INTO day_vectors (operator_id, place, log_index, vector, input, output, cache_read)
      SELECT @operator_id, @place, @since, @vector, @input, @output, @cache_read
      WHERE ${OPERATOR_EXISTS} AND (@input, @output, @cache_read) IS NOT (
        SELECT input, output, cache_read FROM day_vectors
        WHERE operator_id = @operator_id AND place = @place ORDER BY log_index DESC LIMIT 1)
      ON CONFLICT DO UPDATE SET vector = excluded.vector, input = excluded.input,
        output = excluded.output, cache_read = excluded.cache_read`),
    vectors: sql.all<(operator_id: number) => StatedVector[]>(`
      SELECT place, log_index AS since, input, output, cache_read FROM day_vectors
      WHERE operator_id = ? ORDER BY place, log_index`),
    /** Other operators who have any of the vectors, those with most matches first. */
    withVectors: (of: { operator_id: number; vectors: readonly number[]; limit: number }) =>
      withVectors({ ...of, vectors: JSON.stringify(of.vectors) }),
    add: sql.run<(row: CheckRow) => void>(`
      INSERT INTO submission_checks (submission, check_id, tool, operator_id, verdict, statistic,
        threshold, n, days, against, found_at)
      SELECT @submission, @check_id, @tool, @operator_id, @verdict, @statistic,
        @threshold, @n, @days, @against, @found_at
      WHERE EXISTS (SELECT 1 FROM submissions WHERE log_index = @submission)
      ON CONFLICT DO UPDATE SET verdict = excluded.verdict, statistic = excluded.statistic,
        threshold = excluded.threshold, n = excluded.n, days = excluded.days,
        against = excluded.against, found_at = excluded.found_at
        WHERE released_at IS NULL`),
    /** Records that an admin released a submission, whatever was found. */
    release: (submission: number, released_at: string) => release({ submission, released_at }),
    released: sql.all<(operator_id: number) => ReleasedCheck[]>(`
      SELECT check_id, tool, days, against FROM submission_checks
      WHERE operator_id = ? AND released_at IS NOT NULL`),
    /** The amounts of an operator's held days whose only fault is that they are unusual. */
    heldLevels: sql.all<(operator_id: number) => HeldLevel[]>(HELD_LEVELS),
    /** The accounts whose days an operator was held for copying. */
    heldAgainst: (operator_id: number) => new Set(heldAgainst(operator_id)),
    /** The newest note of each account, check and tool since a time, newest first. */
    notes: (since: string, limit: number) => notes({ since, limit }),
    /** The findings about an operator's submissions, newest first. */
    ofOperator: sql.all<(operator_id: number) => ShownCheck[]>(`
      SELECT c.submission, c.check_id, c.tool, c.verdict, c.statistic, c.threshold, c.n, c.days,
        c.against, c.found_at, (SELECT id FROM submissions s WHERE s.log_index = c.submission) AS id,
        (SELECT state FROM submissions s WHERE s.log_index = c.submission) AS state
      FROM submission_checks c
      WHERE c.operator_id = ? ORDER BY c.submission DESC, c.check_id, c.tool`),
  };
}
