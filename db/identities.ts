import type { Database } from 'better-sqlite3';
import type { SignInMethod } from '#core/schema/account.ts';

/** A way in which an operator signs in. */
export interface IdentityRow {
  id: string;
  operator_id: number;
  method: SignInMethod;
  /** A keyed hash of the method and who it names there. */
  subject: string;
  /** What its owner recognises it by. */
  label: string;
  linked_at: string;
  last_used_at: string | null;
}

/** The ways in which operators sign in. */
export function identitiesIn(db: Database) {
  const insert = db.prepare(
    `INSERT INTO identities (id, operator_id, method, subject, label, linked_at)
     VALUES (@id, @operator_id, @method, @subject, @label, @linked_at)`,
  );
  const bySubject = db.prepare('SELECT * FROM identities WHERE subject = ?');
  const ofOperator = db.prepare(
    'SELECT * FROM identities WHERE operator_id = ? ORDER BY linked_at, id',
  );
  const lastUsed = db.prepare(
    `SELECT * FROM identities WHERE operator_id = ? AND last_used_at IS NOT NULL
     ORDER BY last_used_at DESC LIMIT 1`,
  );
  const use = db.prepare(
    'UPDATE identities SET label = @label, last_used_at = @now WHERE id = @id',
  );
  const remove = db.prepare('DELETE FROM identities WHERE id = ?');

  return {
    add(row: Omit<IdentityRow, 'last_used_at'>) {
      insert.run(row);
    },
    bySubject: (subject: string) => bySubject.get(subject) as IdentityRow | undefined,
    /** An operator's, in the order in which they were linked. */
    ofOperator: (operator_id: number) => ofOperator.all(operator_id) as IdentityRow[],
    /** The one that an operator signed in with last. */
    lastUsed: (operator_id: number) => lastUsed.get(operator_id) as IdentityRow | undefined,
    /** Notes a sign-in, and what the method calls its owner by now. */
    use(row: Pick<IdentityRow, 'id' | 'label'>, now: string) {
      use.run({ id: row.id, label: row.label, now });
    },
    remove(id: string) {
      remove.run(id);
    },
  };
}
