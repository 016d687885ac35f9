import type { Database } from 'better-sqlite3';
import type { UpstreamName, SignInPurpose } from '#core/schema/account.ts';
import { returned } from './returned.ts';

/** A trip to another site. */
export type SignInAttempt = SignInPurpose & {
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
    add(attempt: SignInAttempt) {
      insert.run(attempt);
    },
    /** Uses an attempt up; undefined if it is unknown, another browser's, or over. */
    use: (key: Pick<SignInAttempt, 'browser_hash' | 'method' | 'state_hash'>, now: string) =>
      returned(use, { ...key, now }) as SignInAttempt | undefined,
  };
}
