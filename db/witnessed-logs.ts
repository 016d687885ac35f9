import type { Database } from 'better-sqlite3';
import { statementsIn } from './statements.ts';

export interface WitnessedLogRow {
  /** The log's name in its checkpoints. */
  origin: string;
  /** The key of its checkpoints, as text. */
  vkey: string;
  added_at: string;
}

/** The logs of other boards that this board witnesses. */
export function witnessedLogsIn(db: Database) {
  const sql = statementsIn(db);

  return {
    all: sql.all<() => WitnessedLogRow[]>('SELECT * FROM witnessed_logs ORDER BY origin'),
    byOrigin: sql.get<(origin: string) => WitnessedLogRow | undefined>(`
      SELECT * FROM witnessed_logs WHERE origin = ?`),
    /** Adds a log, or replaces its key. */
    put: sql.run<(row: WitnessedLogRow) => void>(`
      INSERT INTO witnessed_logs (origin, vkey, added_at) VALUES (@origin, @vkey, @added_at)
      ON CONFLICT (origin) DO UPDATE SET vkey = excluded.vkey, added_at = excluded.added_at`),
    /** Returns whether the log was there. */
    remove: sql.did<(origin: string) => boolean>('DELETE FROM witnessed_logs WHERE origin = ?'),
  };
}
