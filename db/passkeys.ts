import type { Database } from 'better-sqlite3';
import type { SignInPurpose } from '#core/schema/account.ts';
import { statementsIn } from './statements.ts';

export interface PasskeyRow {
  /** The ID of the sign-in method. */
  identity_id: string;
  credential_id: Uint8Array;
  /** In COSE form. */
  public_key: Uint8Array;
  /** The last signature counter; 0 if the passkey does not count. */
  counter: number;
}

type KnownPasskey = PasskeyRow & { operator_id: number; public_id: string; label: string };

/** Passkeys, each of which belongs to a row of `identities`. */
export function passkeysIn(db: Database) {
  const sql = statementsIn(db);
  const count = sql.did<(of: object) => boolean>(`
    UPDATE passkeys SET counter = @counter
    WHERE identity_id = @identity_id AND (counter < @counter OR (counter = 0 AND @counter = 0))`);

  return {
    add: sql.run<(row: PasskeyRow) => void>(`
      INSERT INTO passkeys (identity_id, credential_id, public_key, counter)
      VALUES (@identity_id, @credential_id, @public_key, @counter)`),
    /** A passkey by the keyed hash of its credential ID, with its account. */
    bySubject: sql.get<(subject: string) => KnownPasskey | undefined>(`
      SELECT p.*, i.label, i.operator_id, o.public_id
      FROM identities i JOIN passkeys p ON p.identity_id = i.id
        JOIN operators o ON o.id = i.operator_id
      WHERE i.subject = ?`),
    /** The credential IDs of an operator's passkeys, by the IDs of their sign-in methods. */
    ofOperator: sql.all<
      (operator_id: number) => Pick<PasskeyRow, 'credential_id' | 'identity_id' | 'public_key'>[]
    >(`
      SELECT p.identity_id, p.credential_id, p.public_key
      FROM identities i JOIN passkeys p ON p.identity_id = i.id
      WHERE i.operator_id = ? ORDER BY i.linked_at, i.id`),
    /** Stores a higher counter. Returns false if the counter did not advance, or the passkey was removed. */
    count: (identity_id: string, counter: number) => count({ identity_id, counter }),
  };
}

/** A challenge that a browser has yet to answer. With a `public_id`, the answer creates a passkey. */
export type PasskeyChallenge = SignInPurpose & {
  challenge_hash: string;
  browser_hash: string;
  expires_at: string;
} & ({ public_id: null; codename: null } | { public_id: string; codename: string });

export function passkeyChallengesIn(db: Database) {
  const sql = statementsIn(db);
  const use = sql.get<(of: object) => PasskeyChallenge | undefined>(`
    DELETE FROM passkey_challenges
    WHERE challenge_hash = @challenge_hash AND browser_hash = @browser_hash AND expires_at > @now
    RETURNING *`);

  return {
    add: sql.run<(challenge: PasskeyChallenge) => void>(`
      INSERT INTO passkey_challenges
        (challenge_hash, browser_hash, interaction, operator_id, public_id, codename, expires_at)
      VALUES
        (@challenge_hash, @browser_hash, @interaction, @operator_id, @public_id, @codename, @expires_at)`),
    /** Uses a challenge; undefined if it is unknown, from another browser, or expired. */
    use: (key: Pick<PasskeyChallenge, 'browser_hash' | 'challenge_hash'>, now: string) =>
      use({ ...key, now }),
  };
}
