import type { Database } from 'better-sqlite3';
import type { Operator } from './operators.ts';
import { statementsIn } from './statements.ts';

/** Stands for all accounts that were deleted, of which no other trace is left. */
export const ENDED = 0;

/** What boards need of an operator in the log, apart from the counts. */
export type ProjectedRow = Pick<
  Operator,
  | 'cohort_id'
  | 'data_opt_out'
  | 'display_name'
  | 'id'
  | 'log_index'
  | 'privacy_mode'
  | 'public_name'
> & {
  /** How many active devices the operator has. */
  devices: number;
};

/** Operators that a projection reads: all of them, or those that changed since it last looked. */
export function operatorChangesIn(db: Database) {
  const sql = statementsIn(db);
  const ROW = `
    SELECT id, log_index, public_name, privacy_mode, display_name, cohort_id, data_opt_out,
      (SELECT count(*) FROM devices d WHERE d.operator_id = o.id
        AND EXISTS (SELECT 1 FROM device_keys k WHERE k.device_id = d.id AND k.revoked_at IS NULL)) AS devices
    FROM operators o WHERE log_index > 0 AND erasing_at IS NULL`;
  const since = sql.values<(of: object) => number[]>(`
    SELECT id FROM operators WHERE log_index > @log_index
    UNION SELECT operator FROM operator_changes WHERE change > @change ORDER BY 1`);

  return {
    /** The number of the last change that is not in the log. */
    last: sql.value<() => number>('SELECT coalesce(max(change), 0) FROM operator_changes'),
    lastId: sql.value<() => number>('SELECT coalesce(max(id), 0) FROM operators'),
    /** The IDs of operators, and {@linkcode ENDED}, with changes after a log entry, or after a change that is not in the log, each once. */
    since: (log_index: number, change: number) => since({ log_index, change }),
    byId: sql.get<(id: number) => ProjectedRow | undefined>(`${ROW} AND id = ?`),
    /** Operators after one, by ID. */
    after: sql.all<(id: number, limit: number) => ProjectedRow[]>(`
      ${ROW} AND id > ? ORDER BY id LIMIT ?`),
  };
}
