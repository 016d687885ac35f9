import type { Database } from 'better-sqlite3';
import type { ChangedDay } from '#core/domain/counting/changed-day.ts';
import { type DaySpan, ON_DAYS, daysOf } from './bucket-rows.ts';
import { statementsIn } from './statements.ts';

interface OperatorDay {
  operator_id: number;
  /** Days since 1970-01-01. */
  day: number;
}

type ChangedDayRow = ChangedDay & Pick<OperatorDay, 'day'>;

/** Days whose signed tokens changed late or became fewer. */
export function changedDaysIn(db: Database) {
  const sql = statementsIn(db);
  const tokens = sql.tuples<(of: object) => [day: number, tokens: number][]>(`
    SELECT day_number, sum(input + output + coalesce(cache_write, 0) + coalesce(cache_read, 0))
    FROM buckets
    WHERE ${ON_DAYS} AND counts = 1
      AND device_id IN (SELECT id FROM devices WHERE operator_id = @operator_id AND trust = 'signed')
    GROUP BY day_number`);
  const known = sql.all<(of: object) => ChangedDayRow[]>(`
    SELECT day, in_time, is_lowered FROM changed_days
    WHERE operator_id = @operator_id AND day BETWEEN @first_day AND @last_day`);

  return {
    /** The signed tokens that count, by day; days without any are left out. */
    tokensBetween: (span: DaySpan) => new Map(tokens(daysOf(span))),
    between: (span: DaySpan) => new Map(known(daysOf(span)).map((row) => [row.day, row])),
    put: sql.run<(row: OperatorDay & ChangedDay) => void>(`
      INSERT INTO changed_days (operator_id, day, in_time, is_lowered)
      VALUES (@operator_id, @day, @in_time, @is_lowered)
      ON CONFLICT (operator_id, day) DO UPDATE SET
        in_time = excluded.in_time, is_lowered = excluded.is_lowered`),
    ofOperator: sql.all<(operator_id: number) => ChangedDayRow[]>(`
      SELECT day, in_time, is_lowered FROM changed_days WHERE operator_id = ? ORDER BY day`),
    /**
     * The days that accepted submissions of an operator state, by number: each first day, in order, with the last day
     * of the longest span that begins there.
     */
    covered: sql.tuples<(operator_id: number) => [from: number, to: number][]>(`
      SELECT covers_from, max(covers_to) FROM packed_submissions
      WHERE operator_id = ? AND covers_to IS NOT NULL AND decided IS NULL
      GROUP BY covers_from ORDER BY covers_from`),
  };
}
