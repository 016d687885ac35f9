import type { Database } from 'better-sqlite3';
import { statementsIn } from './statements.ts';

export interface CalibrationRow {
  as_of: string;
  log_index: number;
  /** JSON. */
  result: string;
}

/** The result of the newest back-test of the intervals. There is at most one. */
export function calibrationIn(db: Database) {
  const sql = statementsIn(db);
  const clear = sql.run<() => void>('DELETE FROM calibration');
  const insert = sql.run<(row: CalibrationRow) => void>(`
    INSERT INTO calibration (as_of, log_index, result) VALUES (@as_of, @log_index, @result)`);

  return {
    current: sql.get<() => CalibrationRow | undefined>('SELECT * FROM calibration'),
    /** Stores a result in place of any other. Call it inside a transaction. */
    replace(row: CalibrationRow) {
      clear();
      insert(row);
    },
  };
}
