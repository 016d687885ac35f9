import type { Database } from 'better-sqlite3';
import type { AuditFilter } from '#core/domain/account/audit-filter.ts';
import type { AuditAction, AuditVia } from '#core/schema/audit.ts';
import { statementsIn } from './statements.ts';

interface AuditEntry {
  action: AuditAction;
  /** The object of the action: a codename, or the ID of a submission, key or challenge. */
  subject: string;
  /** The account that the action concerns; null for none. Deleting the account deletes the entry. */
  operator_id: number | null;
  reason: string | null;
  created_at: string;
  /** The account that acted; null for a command and the board itself, and after that account was deleted. */
  by_operator: number | null;
  via: AuditVia;
}

export interface AuditRow extends Omit<AuditEntry, 'by_operator' | 'operator_id'> {
  id: number;
  /** The codename of the account that acted; null for a command and the board itself, and after that account was deleted. */
  actor: string | null;
  /** The account's current codename; null if the entry concerns none. */
  codename: string | null;
}

interface DecisionRow extends AuditRow {
  action: 'hold' | 'reject' | 'release';
  reason: string;
}

const ROW = `id, action, subject, reason, created_at, via,
  (SELECT codename FROM operators o WHERE o.id = a.operator_id) AS codename,
  (SELECT codename FROM operators o WHERE o.id = a.by_operator) AS actor`;

export function auditLogIn(db: Database) {
  const sql = statementsIn(db);
  const filtered = sql.all<(of: object) => AuditRow[]>(`
    SELECT * FROM (SELECT ${ROW} FROM audit_log a WHERE id < coalesce(@before, 9e15))
    WHERE (@action = '' OR action = @action) AND (@via = '' OR via = @via)
      AND (@who = '' OR actor = @who COLLATE NOCASE)
      AND (@subject = '' OR instr(subject, @subject) > 0 OR instr(coalesce(codename, ''), @subject) > 0)
      AND created_at >= @since AND (@until = '' OR created_at < @until)
    ORDER BY id DESC LIMIT @limit`);

  return {
    add: sql.run<(entry: AuditEntry) => void>(`
      INSERT INTO audit_log (action, subject, operator_id, reason, created_at, by_operator, via)
      VALUES (@action, @subject, @operator_id, @reason, @created_at, @by_operator, @via)`),
    newest: sql.all<(limit: number) => AuditRow[]>(`
      SELECT ${ROW} FROM audit_log a ORDER BY id DESC LIMIT ?`),
    /** The newest entries that a filter selects, before an entry if it is given. */
    filtered: (filter: AuditFilter, limit: number, before: number | null = null) => {
      return filtered({ ...filter, limit, before });
    },
    /** All actions that the log has, by name. */
    actions: sql.values<() => AuditAction[]>(`
      SELECT DISTINCT action FROM audit_log ORDER BY action`),
    /** The codenames of all accounts that acted. */
    actors: sql.values<() => string[]>(`
      SELECT codename FROM operators WHERE id IN (SELECT by_operator FROM audit_log)
      ORDER BY codename`),
    /** The last decision of an admin about a submission. */
    lastDecision: sql.get<(id: string) => DecisionRow | undefined>(`
      SELECT ${ROW} FROM audit_log a
      WHERE subject = ? AND action IN ('hold', 'release', 'reject') ORDER BY id DESC LIMIT 1`),
    /** The last action on something that concerns an account. */
    lastAbout: sql.get<(of: { operator_id: number; subject: string }) => AuditRow | undefined>(`
      SELECT ${ROW} FROM audit_log a
      WHERE operator_id = @operator_id AND subject = @subject ORDER BY id DESC LIMIT 1`),
    /** When an action was last taken. */
    lastTime: sql.value<(action: string) => string | undefined>(`
      SELECT created_at FROM audit_log WHERE action = ? ORDER BY id DESC LIMIT 1`),
    /** What an account did as an admin or moderator. */
    byOperator: sql.all<
      (by_operator: number) => Pick<AuditEntry, 'action' | 'created_at' | 'reason'>[]
    >(`
      SELECT action, reason, created_at FROM audit_log WHERE by_operator = ? ORDER BY id`),
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
