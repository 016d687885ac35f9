import type { Database } from 'better-sqlite3';

/** What can happen to an account that its operator should know of. */
export type AccountEventKind =
  'codename_changed' | 'login_link_created' | 'method_linked' | 'method_unlinked' | 'signed_in';

export interface AccountEvent {
  kind: AccountEventKind;
  /** What it was done with, as a person reads it. */
  detail: string | null;
  created_at: string;
}

/** What happened to accounts. */
export function accountEventsIn(db: Database) {
  const insert = db.prepare(
    `INSERT INTO account_events (operator_id, kind, detail, created_at)
     VALUES (@operator_id, @kind, @detail, @created_at)`,
  );
  const prune = db.prepare(
    `DELETE FROM account_events WHERE operator_id = @operator_id AND id NOT IN (
       SELECT id FROM account_events WHERE operator_id = @operator_id ORDER BY id DESC LIMIT 50)`,
  );
  const ofOperator = db.prepare(
    `SELECT kind, detail, created_at FROM account_events
     WHERE operator_id = ? ORDER BY id DESC`,
  );

  return {
    /** Notes an event; an account's last 50 are kept. */
    add(event: AccountEvent & { operator_id: number }) {
      insert.run(event);
      prune.run({ operator_id: event.operator_id });
    },
    /** An account's events, newest first. */
    ofOperator: (operator_id: number) => ofOperator.all(operator_id) as AccountEvent[],
  };
}
