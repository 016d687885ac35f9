import type { Database } from 'better-sqlite3';
import { statementsIn } from './statements.ts';

interface AuditEntry {
  action: string;
  /** The object of the action: a codename, or the ID of a submission, key or challenge. */
  subject: string;
  /** The account that the action concerns; null for none. Deleting the account deletes the entry. */
  operator_id: number | null;
  reason: string | null;
  created_at: string;
}

interface AuditRow extends Omit<AuditEntry, 'operator_id'> {
  id: number;
  /** The account's current codename; null if the entry concerns none. */
  codename: string | null;
}

export function auditLogIn(db: Database) {
  const sql = statementsIn(db);

  return {
    add: sql.run<(entry: AuditEntry) => void>(`
      INSERT INTO audit_log (action, subject, operator_id, reason, created_at)
      VALUES (@action, @subject, @operator_id, @reason, @created_at)`),
    newest: sql.all<(limit: number) => AuditRow[]>(`
      SELECT id, action, subject, reason, created_at,
        (SELECT codename FROM operators o WHERE o.id = a.operator_id) AS codename
      FROM audit_log a ORDER BY id DESC LIMIT ?`),
    ofOperator: sql.all<
      (operator_id: number) => Pick<AuditEntry, 'action' | 'created_at' | 'reason'>[]
    >(`
      SELECT action, reason, created_at FROM audit_log WHERE operator_id = ? ORDER BY id`),
    /** Actions after an entry. */
    actionsAfter: sql.all<(id: number) => (Pick<AuditEntry, 'action'> & { id: number })[]>(`
      SELECT id, action FROM audit_log WHERE id > ? ORDER BY id`),
    /** When the newest backup was recorded; null before the first. */
    lastBackupAt: sql.value<() => string | null>(`
      SELECT (SELECT created_at FROM audit_log WHERE action = 'backup' ORDER BY id DESC LIMIT 1)`),
    /** The ID of the newest entry; 0 before the first. */
    last: sql.value<() => number>('SELECT coalesce((SELECT max(id) FROM audit_log), 0)'),
  };
}
