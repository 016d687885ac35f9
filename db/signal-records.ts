import type { Database } from 'better-sqlite3';
import type { MetricName } from '#core/schema/record.ts';
import { ON_DAYS, daysOf } from './bucket-rows.ts';
import { statementsIn } from './statements.ts';

export interface NewSignalRecord {
  operator_id: number;
  metric: MetricName;
  /** The version of the ranking rules. */
  rules: number;
  /** The conservative value. */
  value: number;
  low: number;
  high: number | null;
  first_day: string;
  last_day: string;
  /** The last log entry with data for these days. */
  log_index: number;
  /** When the publication that first showed it was computed. */
  achieved_at: string;
}

export type SignalRecordRow = NewSignalRecord & {
  id: number;
  /** The submission in that entry. */
  submission: string | null;
  /** The last entry that changed what counts for the operator. */
  changed_at: number;
};

/** Where an operator's signed days of a record come from. */
interface RecordSource {
  /** Null, like the other member, if there is none. */
  log_index: number | null;
  /** How many days after its day the latest part was received. */
  late_days: number | null;
}

/** The records of the Records page, including beaten ones and those that their days no longer support. */
export function signalRecordsIn(db: Database) {
  const sql = statementsIn(db);
  const replace = sql.run<(of: object) => void>(`
    INSERT OR REPLACE INTO signal_records (operator_id, metric, rules, value, low, high, first_day, last_day, log_index, achieved_at)
    SELECT id, @metric, @rules, @value, @low, @high, @first_day, @last_day, @log_index, @achieved_at
    FROM operators WHERE id = @operator_id`);
  const sourceOf = sql.get<(of: object) => RecordSource>(`
    SELECT max(log_index) AS log_index, max(unixepoch(substr((
        SELECT received_at FROM log_entries e WHERE e.log_index = b.log_index), 1, 10)) / 86400
      - day_number) AS late_days
    FROM buckets b
    WHERE ${ON_DAYS} AND counts = 1
      AND (SELECT trust FROM devices d WHERE d.id = b.device_id) = 'signed'`);

  return {
    all: sql.all<() => SignalRecordRow[]>(`
      SELECT r.*, (SELECT id FROM submissions s WHERE s.log_index = r.log_index) AS submission,
        o.log_index AS changed_at
      FROM signal_records r JOIN operators o ON o.id = r.operator_id ORDER BY r.id`),
    /** Adds records in order. One of the same operator, metric, days and rules replaces an earlier one. */
    add(records: readonly NewSignalRecord[]) {
      for (const record of records) replace(record);
    },
    sourceOf: (of: Pick<NewSignalRecord, 'operator_id' | 'first_day' | 'last_day'>) =>
      sourceOf(daysOf({ operator_id: of.operator_id, from: of.first_day, to: of.last_day })),
    /** Operators with changes after an entry, each with its last such entry. */
    changedSince: sql.tuples<(log_index: number) => [id: number, log_index: number][]>(`
      SELECT id, log_index FROM operators WHERE log_index > ?`),
  };
}
