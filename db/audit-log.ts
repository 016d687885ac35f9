import type { Database } from 'better-sqlite3';

interface AuditEntry {
  action: string;
  /** What it was done to: a codename, or the id of a submission, key or challenge. */
  subject: string;
  /** The account that it is about, whose deletion deletes the entry; null if it is about none. */
  operator_id: number | null;
  reason: string | null;
  created_at: string;
}

interface AuditRow extends Omit<AuditEntry, 'operator_id'> {
  id: number;
  /** What the account is called now; null where the entry is about none. */
  codename: string | null;
}

export function auditLogIn(db: Database) {
  const insert = db.prepare(
    `INSERT INTO audit_log (action, subject, operator_id, reason, created_at)
     VALUES (@action, @subject, @operator_id, @reason, @created_at)`,
  );
  const newest = db.prepare(
    `SELECT id, action, subject, reason, created_at,
       (SELECT codename FROM operators o WHERE o.id = a.operator_id) AS codename
     FROM audit_log a ORDER BY id DESC LIMIT ?`,
  );
  const ofOperator = db.prepare(
    `SELECT action, reason, created_at FROM audit_log WHERE operator_id = ? ORDER BY id`,
  );
  const actionsAfter = db.prepare('SELECT id, action FROM audit_log WHERE id > ? ORDER BY id');
  const last = db.prepare('SELECT coalesce((SELECT max(id) FROM audit_log), 0)').pluck();

  return {
    add: (entry: AuditEntry) => void insert.run(entry),
    newest: (limit: number) => newest.all(limit) as AuditRow[],
    ofOperator: (operator_id: number) =>
      ofOperator.all(operator_id) as Pick<AuditEntry, 'action' | 'created_at' | 'reason'>[],
    /** What was done after an entry. */
    actionsAfter: (id: number) =>
      actionsAfter.all(id) as (Pick<AuditEntry, 'action'> & { id: number })[],
    /** The id of the newest entry; 0 before the first. */
    last: () => last.get() as number,
  };
}
