import type { Database } from 'better-sqlite3';
import type { SignInMethod, SignInPurpose, UpstreamName } from '#core/schema/account.ts';
import { statementsIn } from './statements.ts';

/** One-time sign-in links, whose tokens are stored only as SHA-256. */
export function loginLinksIn(db: Database) {
  const sql = statementsIn(db);
  const use = sql.value<(of: object) => number | undefined>(`
    UPDATE login_links SET used_at = @now
    WHERE token_hash = @token_hash AND used_at IS NULL AND expires_at > @now
    RETURNING operator_id`);

  return {
    add: sql.run<
      (link: {
        token_hash: string;
        operator_id: number;
        created_at: string;
        expires_at: string;
      }) => void
    >(`
      INSERT INTO login_links (token_hash, operator_id, created_at, expires_at)
      VALUES (@token_hash, @operator_id, @created_at, @expires_at)`),
    /** The operator of a link that is still valid. */
    operatorOf: sql.value<(token_hash: string, now: string) => number | undefined>(`
      SELECT operator_id FROM login_links
      WHERE token_hash = ? AND used_at IS NULL AND expires_at > ?`),
    /** Uses a link and returns its operator; undefined if it is not valid. */
    use: (token_hash: string, now: string) => use({ token_hash, now }),
    removeOfOperator: sql.run<(operator_id: number) => void>(`
      DELETE FROM login_links WHERE operator_id = ?`),
  };
}

export type MailLink = SignInPurpose & {
  token_hash: string;
  /** The browser that requested it. */
  browser_hash: string;
  code_hash: string;
  subject: string;
  label: string;
  /** Whether the rules of the board expect the owner of the mailbox. */
  is_expected: 0 | 1;
  /** The invitation of the browser that requested it. */
  invitation_hash: string | null;
  tries: number;
  created_at: string;
  expires_at: string;
};

/** Emailed links, whose tokens are stored only as SHA-256. */
export function mailLinksIn(db: Database) {
  const sql = statementsIn(db);
  return {
    add: sql.run<(link: Omit<MailLink, 'tries'>) => void>(`
      INSERT INTO mail_links (token_hash, browser_hash, code_hash, subject, label, interaction,
        operator_id, is_expected, invitation_hash, created_at, expires_at)
      VALUES (@token_hash, @browser_hash, @code_hash, @subject, @label, @interaction,
        @operator_id, @is_expected, @invitation_hash, @created_at, @expires_at)`),
    byToken: sql.get<(token_hash: string, now: string) => MailLink | undefined>(`
      SELECT * FROM mail_links WHERE token_hash = @token_hash AND expires_at > @now`),
    /** The last link that a browser requested, if it is still valid. */
    newestOf: sql.get<(browser_hash: string, now: string) => MailLink | undefined>(`
      SELECT * FROM mail_links WHERE browser_hash = @browser_hash AND expires_at > @now
      ORDER BY created_at DESC LIMIT 1`),
    /** Counts a wrong code, and returns the number of wrong codes so far. */
    countTry: sql.value<(token_hash: string) => number>(`
      UPDATE mail_links SET tries = tries + 1 WHERE token_hash = ? RETURNING tries`),
    remove: sql.run<(token_hash: string) => void>('DELETE FROM mail_links WHERE token_hash = ?'),
    removeOfSubject: sql.run<(subject: string) => void>('DELETE FROM mail_links WHERE subject = ?'),
  };
}

type SignInAttempt = SignInPurpose & {
  state_hash: string;
  browser_hash: string;
  method: UpstreamName;
  code_verifier: string;
  expires_at: string;
};

/** Sign-ins in progress at other sites, whose states are stored only as SHA-256. */
export function signInAttemptsIn(db: Database) {
  const sql = statementsIn(db);
  const use = sql.get<(of: object) => SignInAttempt | undefined>(`
    DELETE FROM sign_in_attempts
    WHERE state_hash = @state_hash AND browser_hash = @browser_hash AND method = @method
      AND expires_at > @now
    RETURNING *`);

  return {
    add: sql.run<(attempt: SignInAttempt) => void>(`
      INSERT INTO sign_in_attempts
        (state_hash, browser_hash, method, code_verifier, interaction, operator_id, expires_at)
      VALUES
        (@state_hash, @browser_hash, @method, @code_verifier, @interaction, @operator_id, @expires_at)`),
    /** Uses a sign-in attempt; undefined if it is unknown, from another browser, or expired. */
    use: (key: Pick<SignInAttempt, 'browser_hash' | 'method' | 'state_hash'>, now: string) =>
      use({ ...key, now }),
  };
}

export interface IdentityRow {
  id: string;
  operator_id: number;
  method: SignInMethod;
  /** A keyed hash of the method and of the person's ID there. */
  subject: string;
  /** The text by which its owner recognizes it. */
  label: string;
  linked_at: string;
  last_used_at: string | null;
}

export function identitiesIn(db: Database) {
  const sql = statementsIn(db);
  const use = sql.run<(of: object) => void>(`
    UPDATE identities SET label = @label, last_used_at = @now WHERE id = @id`);
  const renamePasskey = sql.did<(of: object) => boolean>(`
    UPDATE identities SET label = @label
    WHERE id = @id AND operator_id = @operator_id AND method = 'passkey'`);

  return {
    add: sql.run<(row: Omit<IdentityRow, 'last_used_at'>) => void>(`
      INSERT INTO identities (id, operator_id, method, subject, label, linked_at)
      VALUES (@id, @operator_id, @method, @subject, @label, @linked_at)`),
    bySubject: sql.get<(subject: string) => IdentityRow | undefined>(`
      SELECT * FROM identities WHERE subject = ?`),
    ofOperator: sql.all<(operator_id: number) => IdentityRow[]>(`
      SELECT * FROM identities WHERE operator_id = ? ORDER BY linked_at, id`),
    lastUsed: sql.get<(operator_id: number) => IdentityRow | undefined>(`
      SELECT * FROM identities WHERE operator_id = ? AND last_used_at IS NOT NULL
      ORDER BY last_used_at DESC LIMIT 1`),
    /** Records a sign-in, and the owner's current name at the method. */
    use: (row: Pick<IdentityRow, 'id' | 'label'>, now: string) =>
      use({ id: row.id, label: row.label, now }),
    /** Returns false if the operator does not have this passkey. */
    renamePasskey: (row: Pick<IdentityRow, 'id' | 'label' | 'operator_id'>) => renamePasskey(row),
    remove: sql.run<(id: string) => void>('DELETE FROM identities WHERE id = ?'),
  };
}
