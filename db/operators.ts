import type { Database } from 'better-sqlite3';
import type { PrivacyMode } from '#core/schema/record.ts';

export interface Operator {
  id: number;
  public_id: string;
  codename: string;
  privacy_mode: PrivacyMode;
  data_opt_out: 0 | 1;
  created_at: string;
  /** The last log entry that touched what counts for this operator; 0 before the first. */
  log_index: number;
}

export function operatorsIn(db: Database) {
  const insert = db.prepare(
    `INSERT INTO operators (public_id, codename, created_at)
     VALUES (@public_id, @codename, @created_at)
     ON CONFLICT (codename) DO NOTHING
     RETURNING *`,
  );
  const byId = db.prepare('SELECT * FROM operators WHERE id = ?');
  const byCodename = db.prepare('SELECT * FROM operators WHERE codename = ?');
  const touch = db.prepare('UPDATE operators SET log_index = @log_index WHERE id = @id');
  const changedSince = db.prepare('SELECT * FROM operators WHERE log_index > ? ORDER BY id');
  const ids = db.prepare('SELECT id FROM operators WHERE log_index > 0').pluck();

  return {
    /** The new account, or undefined if the codename is taken. */
    add(operator: Pick<Operator, 'public_id' | 'codename' | 'created_at'>) {
      return insert.get(operator) as Operator | undefined;
    },
    byId: (id: number) => byId.get(id) as Operator | undefined,
    byCodename: (codename: string) => byCodename.get(codename) as Operator | undefined,
    touch(id: number, log_index: number) {
      touch.run({ id, log_index });
    },
    /** Those touched by a log entry after `log_index`. */
    changedSince: (log_index: number) => changedSince.all(log_index) as Operator[],
    /** The ids of all that ever stood in the log. */
    logged: () => ids.all() as number[],
  };
}
