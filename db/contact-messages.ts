import type { Database } from 'better-sqlite3';

interface ContactMessage {
  id: string;
  operator_id: number;
  subject: string;
  message: string;
  created_at: string;
}

export function contactMessagesIn(db: Database) {
  const insert = db.prepare(
    `INSERT INTO contact_messages (id, operator_id, subject, message, created_at)
     VALUES (@id, @operator_id, @subject, @message, @created_at)`,
  );
  const prune = db.prepare(
    `DELETE FROM contact_messages WHERE operator_id = @operator_id AND id NOT IN (
       SELECT id FROM contact_messages WHERE operator_id = @operator_id
       ORDER BY id = @id DESC, created_at DESC LIMIT @most)`,
  );
  const setMailed = db.prepare('UPDATE contact_messages SET mailed_at = @at WHERE id = @id');
  const ofOperator = db.prepare(
    `SELECT id, operator_id, subject, message, created_at, mailed_at FROM contact_messages
     WHERE operator_id = ? ORDER BY created_at DESC, id`,
  );

  const newest = db.prepare(
    `SELECT m.id, m.subject, m.message, m.created_at, m.mailed_at, o.codename
     FROM contact_messages m JOIN operators o ON o.id = m.operator_id
     ORDER BY m.created_at DESC, m.id LIMIT ?`,
  );

  return {
    /** Keeps a message; of an operator who has more than `most`, the oldest are forgotten. */
    add(message: ContactMessage, most: number) {
      insert.run(message);
      prune.run({ id: message.id, operator_id: message.operator_id, most });
    },
    setMailed: (id: string, at: string) => void setMailed.run({ id, at }),
    newest: (limit: number) =>
      newest.all(limit) as (Omit<ContactMessage, 'operator_id'> & {
        mailed_at: string | null;
        codename: string;
      })[],
    ofOperator: (operator_id: number) =>
      ofOperator.all(operator_id) as (ContactMessage & { mailed_at: string | null })[],
  };
}
