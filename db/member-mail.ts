import type { Database } from 'better-sqlite3';
import type { MailKind } from '#core/schema/member-mail.ts';
import { statementsIn } from './statements.ts';

export interface MemberMailRow {
  operator_id: number;
  /** Encrypted; null if the member must enter it again. */
  address: Uint8Array | null;
  kinds: MailKind[];
  silent_days: number;
  /** Events before this are not sent. */
  since: string;
  confirm_hash: string | null;
  confirm_until: string | null;
  confirmed_at: string | null;
  problem: 'rejected' | 'unreadable' | null;
  problem_at: string | null;
}

type StoredRow = Omit<MemberMailRow, 'kinds'> & { kinds: string };

export interface MailEvent {
  operator_id: number;
  kind: MailKind;
  /** Distinguishes it from other events of the kind. */
  about: string;
  occurred_at: string;
}

export interface QueuedMail extends MailEvent {
  id: number;
  tries: number;
  due_at: string | null;
  /** `trying` while it is being sent, and forever if the process ended meanwhile. */
  outcome: 'dropped' | 'rejected' | 'sent' | 'trying' | null;
  ended_at: string | null;
}

export function memberMailIn(db: Database) {
  const sql = statementsIn(db);
  const put = sql.run<(row: StoredRow) => void>(`
    INSERT OR REPLACE INTO member_mail (operator_id, address, kinds, silent_days, since, confirm_hash,
      confirm_until, confirmed_at, problem, problem_at)
    VALUES (@operator_id, @address, @kinds, @silent_days, @since, @confirm_hash, @confirm_until,
      @confirmed_at, @problem, @problem_at)`);
  const byOperator = sql.get<(operator_id: number) => StoredRow | undefined>(`
    SELECT * FROM member_mail WHERE operator_id = ?`);
  const byToken = sql.get<(confirm_hash: string, now: string) => StoredRow | undefined>(`
    SELECT * FROM member_mail WHERE confirm_hash = @confirm_hash AND confirm_until > @now`);
  const remove = sql.did<(operator_id: number) => boolean>(`
    DELETE FROM member_mail WHERE operator_id = ?`);

  return {
    put: (row: MemberMailRow) => put({ ...row, kinds: JSON.stringify(row.kinds) }),
    ofOperator: (operator_id: number) => rowOf(byOperator(operator_id)),
    /** The address that waits for this confirmation; undefined if the token is unknown or has expired. */
    byToken: (confirm_hash: string, now: string) => rowOf(byToken(confirm_hash, now)),
    remove,
    /** The accounts that can receive email now, some after an ID. */
    receivers: sql.values<(after: number, limit: number) => number[]>(`
      SELECT m.operator_id FROM member_mail m JOIN operators o ON o.id = m.operator_id
      WHERE m.operator_id > @after AND m.confirmed_at IS NOT NULL AND m.address IS NOT NULL
        AND m.problem IS NULL AND o.hidden_at IS NULL AND o.erasing_at IS NULL
      ORDER BY m.operator_id LIMIT @limit`),
    addProblem: sql.run<
      (row: Pick<MemberMailRow, 'operator_id' | 'problem' | 'problem_at'>) => void
    >(`
      UPDATE member_mail SET problem = @problem, problem_at = @problem_at,
        address = CASE @problem WHEN 'unreadable' THEN NULL ELSE address END
      WHERE operator_id = @operator_id`),
    /** Deletes an address that was not confirmed in time, with the choices made for it. */
    forgetUnconfirmed: sql.run<(now: string) => void>(`
      DELETE FROM member_mail WHERE confirmed_at IS NULL AND confirm_until <= ?`),
  };
}

function rowOf(row: StoredRow | undefined): MemberMailRow | undefined {
  return row && { ...row, kinds: JSON.parse(row.kinds) as MailKind[] };
}

export function mailQueueIn(db: Database) {
  const sql = statementsIn(db);
  const removeUnsent = sql.run<(of: object) => void>(`
    DELETE FROM mail_queue WHERE operator_id = @operator_id AND due_at IS NOT NULL
      AND kind NOT IN (SELECT value FROM json_each(@kinds))`);

  return {
    /** Adds an event unless it is known. Returns whether it was added. */
    add: sql.did<(event: MailEvent) => boolean>(`
      INSERT INTO mail_queue (operator_id, kind, about, occurred_at, due_at)
      VALUES (@operator_id, @kind, @about, @occurred_at, @occurred_at)
      ON CONFLICT DO NOTHING`),
    has: sql.has<(operator_id: number, kind: MailKind, about: string) => boolean>(`
      SELECT 1 FROM mail_queue WHERE operator_id = ? AND kind = ? AND about = ?`),
    /** Takes the next email that is due. If the process ends now, it is not sent a second time. */
    take: sql.get<(now: string) => QueuedMail | undefined>(`
      UPDATE mail_queue SET tries = tries + 1, due_at = NULL, outcome = 'trying', ended_at = @now
      WHERE id = (SELECT id FROM mail_queue WHERE due_at <= @now ORDER BY due_at, id LIMIT 1)
      RETURNING *`),
    retry: sql.run<(row: { id: number; due_at: string }) => void>(`
      UPDATE mail_queue SET due_at = @due_at, outcome = NULL, ended_at = NULL WHERE id = @id`),
    end: sql.run<
      (row: { id: number; outcome: 'dropped' | 'rejected' | 'sent'; ended_at: string }) => void
    >(`
      UPDATE mail_queue SET outcome = @outcome, ended_at = @ended_at WHERE id = @id`),
    /** Deletes an account's unsent emails, except those of some kinds. */
    removeUnsent: (operator_id: number, kinds: readonly MailKind[]) =>
      removeUnsent({ operator_id, kinds: JSON.stringify(kinds) }),
    forgetBefore: sql.run<(before: string) => void>(`
      DELETE FROM mail_queue WHERE due_at IS NULL AND ended_at <= ?`),
    length: sql.value<() => number>('SELECT count(*) FROM mail_queue WHERE due_at IS NOT NULL'),
    ofOperator: sql.all<(operator_id: number) => QueuedMail[]>(`
      SELECT * FROM mail_queue WHERE operator_id = ? ORDER BY id`),
  };
}
