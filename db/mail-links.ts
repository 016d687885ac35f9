import type { Database } from 'better-sqlite3';
import type { SignInPurpose } from '#core/schema/account.ts';
import { returned } from './returned.ts';

/** A link that was mailed. */
export type MailLink = SignInPurpose & {
  token_hash: string;
  /** The browser that asked for it. */
  browser_hash: string;
  code_hash: string;
  subject: string;
  label: string;
  /** Wrong codes so far. */
  tries: number;
  created_at: string;
  expires_at: string;
};

/** Links that were mailed, known only by the SHA-256 of their token. */
export function mailLinksIn(db: Database) {
  const insert = db.prepare(
    `INSERT INTO mail_links (token_hash, browser_hash, code_hash, subject, label, interaction,
       operator_id, created_at, expires_at)
     VALUES (@token_hash, @browser_hash, @code_hash, @subject, @label, @interaction,
       @operator_id, @created_at, @expires_at)`,
  );
  const byToken = db.prepare(
    'SELECT * FROM mail_links WHERE token_hash = @token_hash AND expires_at > @now',
  );
  const newestOf = db.prepare(
    `SELECT * FROM mail_links WHERE browser_hash = @browser_hash AND expires_at > @now
     ORDER BY created_at DESC LIMIT 1`,
  );
  const countTry = db
    .prepare('UPDATE mail_links SET tries = tries + 1 WHERE token_hash = ? RETURNING tries')
    .pluck();
  const remove = db.prepare('DELETE FROM mail_links WHERE token_hash = ?');
  const removeOfSubject = db.prepare('DELETE FROM mail_links WHERE subject = ?');

  return {
    add(link: Omit<MailLink, 'tries'>) {
      insert.run(link);
    },
    /** A link while it can be used. */
    byToken: (token_hash: string, now: string) =>
      byToken.get({ token_hash, now }) as MailLink | undefined,
    /** The last link that a browser asked for, while it can be used. */
    newestOf: (browser_hash: string, now: string) =>
      newestOf.get({ browser_hash, now }) as MailLink | undefined,
    /** Counts a wrong code, and tells how many there were. */
    countTry: (token_hash: string) => returned(countTry, token_hash) as number,
    remove(token_hash: string) {
      remove.run(token_hash);
    },
    /** Ends all links to one mailbox. */
    removeOfSubject(subject: string) {
      removeOfSubject.run(subject);
    },
  };
}
