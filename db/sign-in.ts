import type { Database } from 'better-sqlite3';
import { returned } from './returned.ts';
import type { SignInMethod, SignInPurpose, UpstreamName } from '#core/schema/account.ts';

/** One-time sign-in links, known only by the SHA-256 of their token. */
export function loginLinksIn(db: Database) {
  const insert = db.prepare(
    `INSERT INTO login_links (token_hash, operator_id, created_at, expires_at)
     VALUES (@token_hash, @operator_id, @created_at, @expires_at)`,
  );
  const operatorOf = db
    .prepare(
      `SELECT operator_id FROM login_links
       WHERE token_hash = ? AND used_at IS NULL AND expires_at > ?`,
    )
    .pluck();
  const use = db
    .prepare(
      `UPDATE login_links SET used_at = @now
       WHERE token_hash = @token_hash AND used_at IS NULL AND expires_at > @now
       RETURNING operator_id`,
    )
    .pluck();

  return {
    add: (link: {
      token_hash: string;
      operator_id: number;
      created_at: string;
      expires_at: string;
    }) => void insert.run(link),
    /** Whose link it is, while it can be used. */
    operatorOf: (token_hash: string, now: string) =>
      operatorOf.get(token_hash, now) as number | undefined,
    /** Uses a link up and tells whose it was; undefined if it cannot be used. */
    use: (token_hash: string, now: string) =>
      returned(use, { token_hash, now }) as number | undefined,
  };
}

export type MailLink = SignInPurpose & {
  token_hash: string;
  /** The browser that asked for it. */
  browser_hash: string;
  code_hash: string;
  subject: string;
  label: string;
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
    add: (link: Omit<MailLink, 'tries'>) => void insert.run(link),
    byToken: (token_hash: string, now: string) =>
      byToken.get({ token_hash, now }) as MailLink | undefined,
    /** The last link that a browser asked for, while it can be used. */
    newestOf: (browser_hash: string, now: string) =>
      newestOf.get({ browser_hash, now }) as MailLink | undefined,
    /** Counts a wrong code, and tells how many there were. */
    countTry: (token_hash: string) => returned(countTry, token_hash) as number,
    remove: (token_hash: string) => void remove.run(token_hash),
    removeOfSubject: (subject: string) => void removeOfSubject.run(subject),
  };
}

type SignInAttempt = SignInPurpose & {
  state_hash: string;
  browser_hash: string;
  method: UpstreamName;
  code_verifier: string;
  expires_at: string;
};

/** Trips to other sites to sign in there, known only by the SHA-256 of their state. */
export function signInAttemptsIn(db: Database) {
  const insert = db.prepare(
    `INSERT INTO sign_in_attempts
       (state_hash, browser_hash, method, code_verifier, interaction, operator_id, expires_at)
     VALUES
       (@state_hash, @browser_hash, @method, @code_verifier, @interaction, @operator_id, @expires_at)`,
  );
  const use = db.prepare(
    `DELETE FROM sign_in_attempts
     WHERE state_hash = @state_hash AND browser_hash = @browser_hash AND method = @method
       AND expires_at > @now
     RETURNING *`,
  );

  return {
    add: (attempt: SignInAttempt) => void insert.run(attempt),
    /** Uses an attempt up; undefined if it is unknown, another browser's, or over. */
    use: (key: Pick<SignInAttempt, 'browser_hash' | 'method' | 'state_hash'>, now: string) =>
      returned(use, { ...key, now }) as SignInAttempt | undefined,
  };
}

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
    add: (row: Omit<IdentityRow, 'last_used_at'>) => void insert.run(row),
    bySubject: (subject: string) => bySubject.get(subject) as IdentityRow | undefined,
    ofOperator: (operator_id: number) => ofOperator.all(operator_id) as IdentityRow[],
    lastUsed: (operator_id: number) => lastUsed.get(operator_id) as IdentityRow | undefined,
    /** Notes a sign-in, and what the method calls its owner by now. */
    use: (row: Pick<IdentityRow, 'id' | 'label'>, now: string) =>
      void use.run({ id: row.id, label: row.label, now }),
    remove: (id: string) => void remove.run(id),
  };
}
