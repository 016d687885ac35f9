import type { Database } from 'better-sqlite3';
import type { AccountEvent } from '#core/schema/account.ts';

/** What happened to accounts. */
export function accountEventsIn(db: Database) {
  const insert = db.prepare(
    `INSERT INTO account_events (operator_id, kind, detail, created_at)
     VALUES (@operator_id, @kind, @detail, @created_at)`,
  );
  const prune = db.prepare(
    `DELETE FROM account_events WHERE operator_id = @operator_id AND id NOT IN (
       SELECT id FROM (
         SELECT id, row_number() OVER (PARTITION BY CASE
           WHEN kind = 'signed_in' THEN 1
           WHEN kind IN ('submission_restored', 'submission_withdrawn') THEN 2
           END ORDER BY id DESC) AS place
         FROM account_events WHERE operator_id = @operator_id)
       WHERE place <= 50)`,
  );
  const ofOperator = db.prepare(
    `SELECT kind, detail, created_at FROM account_events
     WHERE operator_id = ? ORDER BY id DESC`,
  );

  return {
    /** Adds an event. An account's last 50 sign-ins, 50 changes of its own submissions and 50 other events are kept. */
    add(event: AccountEvent & { operator_id: number }) {
      insert.run(event);
      prune.run({ operator_id: event.operator_id });
    },
    /** An account's events, newest first. */
    ofOperator: (operator_id: number) => ofOperator.all(operator_id) as AccountEvent[],
  };
}
