import type { Database } from 'better-sqlite3';
import { statementsIn } from './statements.ts';

interface ContactMessage {
  id: string;
  operator_id: number;
  subject: string;
  message: string;
  created_at: string;
}

export function contactMessagesIn(db: Database) {
  const sql = statementsIn(db);
  const insert = sql.run<(of: object) => void>(`
    INSERT INTO contact_messages (id, operator_id, subject, message, created_at)
    VALUES (@id, @operator_id, @subject, @message, @created_at)`);
  const prune = sql.run<(of: object) => void>(`
    DELETE FROM contact_messages WHERE operator_id = @operator_id AND id NOT IN (
      SELECT id FROM contact_messages WHERE operator_id = @operator_id
      ORDER BY id = @id DESC, created_at DESC LIMIT @most)`);
  const setMailed = sql.run<(of: object) => void>(`
    UPDATE contact_messages SET mailed_at = @at WHERE id = @id`);

  return {
    /** Adds a message. If the operator has more than `most`, deletes the oldest. */
    add(message: ContactMessage, most: number) {
      insert(message);
      prune({ id: message.id, operator_id: message.operator_id, most });
    },
    setMailed: (id: string, at: string) => setMailed({ id, at }),
    newest: sql.all<
      (
        limit: number,
      ) => (Omit<ContactMessage, 'operator_id'> & { mailed_at: string | null; codename: string })[]
    >(`
      SELECT m.id, m.subject, m.message, m.created_at, m.mailed_at, o.codename
      FROM contact_messages m JOIN operators o ON o.id = m.operator_id
      ORDER BY m.created_at DESC, m.id LIMIT ?`),
    ofOperator: sql.all<
      (operator_id: number) => (ContactMessage & { mailed_at: string | null })[]
    >(`
      SELECT id, operator_id, subject, message, created_at, mailed_at FROM contact_messages
      WHERE operator_id = ? ORDER BY created_at DESC, id`),
  };
}
