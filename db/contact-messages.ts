import type { Database } from 'better-sqlite3';
import type { Role } from '#core/schema/account.ts';
import { statementsIn } from './statements.ts';

interface ContactMessage {
  id: string;
  operator_id: number;
  subject: string;
  message: string;
  created_at: string;
}

export interface MessageRow extends ContactMessage {
  mailed_at: string | null;
  /** Null while it is open. */
  done_at: string | null;
  /** Until when an email with an answer can be on its way; null if none was interrupted. */
  sending_until: string | null;
  codename: string;
  role: Role;
  /** How many answers it has. */
  answers: number;
}

const ROW = `
  SELECT m.id, m.operator_id, m.subject, m.message, m.created_at, m.mailed_at, m.done_at, m.sending_until,
    o.codename, o.role, (SELECT count(*) FROM contact_answers WHERE message_id = m.id) AS answers
  FROM contact_messages m JOIN operators o ON o.id = m.operator_id`;

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
    newest: sql.all<(limit: number) => MessageRow[]>(`
      ${ROW} ORDER BY m.created_at DESC, m.id LIMIT ?`),
    /** Open messages, the oldest first, then done ones, the newest first. */
    page: sql.all<(of: { onlyOpen: 0 | 1; limit: number; offset: number }) => MessageRow[]>(`
      ${ROW} WHERE m.done_at IS NULL OR NOT @onlyOpen
      ORDER BY m.done_at IS NOT NULL, iif(m.done_at IS NULL, m.created_at, NULL),
        m.created_at DESC, m.id LIMIT @limit OFFSET @offset`),
    byId: sql.get<(id: string) => MessageRow | undefined>(`${ROW} WHERE m.id = ?`),
    openCount: sql.value<() => number>(`
      SELECT count(*) FROM contact_messages WHERE done_at IS NULL`),
    /** Marks a message as done, or as open again with null. */
    setDone: sql.run<(of: { id: string; done_at: string | null }) => void>(`
      UPDATE contact_messages SET done_at = @done_at, sending_until = NULL WHERE id = @id`),
    setSending: sql.run<(of: { id: string; sending_until: string | null }) => void>(`
      UPDATE contact_messages SET sending_until = @sending_until WHERE id = @id`),
    ofOperator: sql.all<(operator_id: number) => MessageRow[]>(`
      ${ROW} WHERE m.operator_id = ? ORDER BY m.created_at DESC, m.id`),
  };
}

interface ContactAnswer {
  message_id: string;
  answer: string;
  created_at: string;
  is_mailed: 0 | 1;
  /** The account that answered; null for a command, and after that account was deleted. */
  operator_id: number | null;
  via: 'command' | 'page';
}

export interface AnswerRow extends Omit<ContactAnswer, 'operator_id'> {
  /** The codename of the account that answered. */
  actor: string | null;
}

/** Answers to messages. They are deleted with their message. */
export function contactAnswersIn(db: Database) {
  const sql = statementsIn(db);

  return {
    add: sql.run<(answer: ContactAnswer) => void>(`
      INSERT INTO contact_answers (message_id, answer, created_at, is_mailed, operator_id, via)
      VALUES (@message_id, @answer, @created_at, @is_mailed, @operator_id, @via)`),
    /** Oldest first. */
    ofMessage: sql.all<(message_id: string) => AnswerRow[]>(`
      SELECT a.message_id, a.answer, a.created_at, a.is_mailed, a.via, o.codename AS actor
      FROM contact_answers a LEFT JOIN operators o ON o.id = a.operator_id
      WHERE a.message_id = ? ORDER BY a.id`),
    /** When an operator's messages were last answered; null if never. */
    lastTo: sql.value<(operator_id: number) => string | null>(`
      SELECT max(a.created_at) FROM contact_answers a
      JOIN contact_messages m ON m.id = a.message_id WHERE m.operator_id = ?`),
  };
}
