import type { Database } from 'better-sqlite3';
import type { MetricName } from '#core/schema/record.ts';
import { statementsIn } from './statements.ts';

export interface NewSignalRecord {
  operator_id: number;
  metric: MetricName;
  /** The ends of the interval, of which the lower one counts. */
  value: number;
  high: number | null;
  first_day: string;
  last_day: string;
  /** The last entry that the days are made of. */
  log_index: number;
  /** When the publication that first showed it was computed. */
  achieved_at: string;
}

export type SignalRecordRow = NewSignalRecord & {
  id: number;
  /** The submission that the entry is. */
  submission: string | null;
  /** The last entry that touched what counts for the operator. */
  changed_at: number;
};

/** What an operator's signed days of a record are made of. */
interface RecordSource {
  /** Null, as the other is, where there is nothing. */
  log_index: number | null;
  /** How long after its day the latest of it came in, in days. */
  late_days: number | null;
}

/** Records of the hall of signal, also beaten ones and those whose days do not give them any more. */
export function signalRecordsIn(db: Database) {
  const sql = statementsIn(db);
  const replace = sql.run<(of: object) => void>(`
    INSERT OR REPLACE INTO signal_records (operator_id, metric, value, high, first_day, last_day, log_index, achieved_at)
    SELECT id, @metric, @value, @high, @first_day, @last_day, @log_index, @achieved_at
    FROM operators WHERE id = @operator_id`);

  return {
    all: sql.all<() => SignalRecordRow[]>(`
      SELECT r.*, s.id AS submission, o.log_index AS changed_at
      FROM signal_records r JOIN operators o ON o.id = r.operator_id
      LEFT JOIN submissions s ON s.log_index = r.log_index ORDER BY r.id`),
    /** Adds records, the last of them last; one of the same operator, metric and days takes the place of an earlier one. */
    add(records: readonly NewSignalRecord[]) {
      for (const record of records) replace(record);
    },
    sourceOf: sql.get<
      (span: { operator_id: number; first_day: string; last_day: string }) => RecordSource
    >(`
      SELECT max(b.log_index) AS log_index,
        max(julianday(substr(e.received_at, 1, 10)) - julianday(b.day)) AS late_days
      FROM buckets b CROSS JOIN log_entries e ON e.log_index = b.log_index
      WHERE b.operator_id = @operator_id AND b.day BETWEEN @first_day AND @last_day AND b.counts = 1
        AND (SELECT trust FROM devices d WHERE d.id = b.device_id) = 'signed'`),
    /** Operators touched by an entry after one, each with the last such entry. */
    changedSince: sql.tuples<(log_index: number) => [id: number, log_index: number][]>(`
      SELECT id, log_index FROM operators WHERE log_index > ?`),
  };
}
